// The greatest common divisor by recursion, for two numbers up to 30: it divides both, and the known cases come out.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned gcd(unsigned a, unsigned b) {
  if (a == 0)
    return b;
  if (b == 0)
    return a;
  return a > b ? gcd(a - b, b) : gcd(a, b - a);
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uchar();
  unsigned b = __VERIFIER_nondet_uchar();
  if (a < 1 || a > 30 || b < 1 || b > 30)
    return 0;
  unsigned d = gcd(a, b);
  if (d == 0)
    reach_error(); // expect: unreachable
  if (d > a || d > b)
    reach_error(); // expect: unreachable
  if (d == 7 && a != b)
    reach_error(); // expect: reachable
  if (d == 16) // 16 and 16
    reach_error(); // expect: reachable
  if (d == 11 && a < 20 && b < 20 && a != b)
    reach_error(); // expect: unreachable
  if (d == 30)
    reach_error(); // expect: reachable
  return 0;
}
