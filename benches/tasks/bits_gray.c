// Gray codes of neighbouring numbers differ in one bit, and decoding gives the number back; all 16-bit numbers.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned encode(unsigned x) {
  return x ^ (x >> 1);
}

static unsigned decode(unsigned code) {
  code ^= code >> 8;
  code ^= code >> 4;
  code ^= code >> 2;
  code ^= code >> 1;
  return code;
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint() & 0xffffu;
  unsigned code = encode(x);
  if (decode(code) != x)
    reach_error(); // expect: unreachable
  if (x < 0xffffu) {
    unsigned difference = code ^ encode(x + 1);
    if (difference == 0 || (difference & (difference - 1)) != 0)
      reach_error(); // expect: unreachable
  }
  if (code == x && x != 0 && x != 1)
    reach_error(); // expect: unreachable
  return 0;
}
