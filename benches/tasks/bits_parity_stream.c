// A parity and a two-bit checksum over a stream of 32 bits that come one by one: the two agree about odd numbers of ones.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define LENGTH 32

int main(void) {
  unsigned parity = 0, checksum = 0, shift = 0x1u;
  for (int i = 0; i < LENGTH; i++) {
    if (__VERIFIER_nondet_bool()) {
      parity ^= 1u;
      checksum = (checksum + 1u) & 3u;
    }
    shift = (shift << 1) | (shift >> 31);
  }
  if ((checksum & 1u) != parity)
    reach_error(); // expect: unreachable
  if (shift != 1u)
    reach_error(); // expect: unreachable
  if (checksum == 3u && parity == 1u)
    reach_error(); // expect: reachable
  if (checksum == 0u)
    reach_error(); // expect: reachable
  return 0;
}
