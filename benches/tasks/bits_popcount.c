// Three ways to count the bits of a 16-bit number agree: one by one, by clearing the lowest, and by adding in parallel.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned count_clearing(unsigned x) {
  unsigned n = 0;
  while (x != 0) {
    x &= x - 1;
    n++;
  }
  return n;
}

static unsigned count_parallel(unsigned x) {
  x = (x & 0x5555u) + ((x >> 1) & 0x5555u);
  x = (x & 0x3333u) + ((x >> 2) & 0x3333u);
  x = (x & 0x0f0fu) + ((x >> 4) & 0x0f0fu);
  return (x & 0x00ffu) + (x >> 8);
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint() & 0xffffu;
  unsigned n = count_parallel(x);
  if (n > 16)
    reach_error(); // expect: unreachable
  if (count_clearing(x) != n)
    reach_error(); // expect: unreachable
  if (n == 13 && (x & 0xfu) == 3)
    reach_error(); // expect: reachable
  if (n == 15 && (x & 0xfu) == 3)
    reach_error(); // expect: unreachable
  if (n == 0)
    reach_error(); // expect: reachable
  return 0;
}
