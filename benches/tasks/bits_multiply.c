// Multiplication by shifts and adds of two small numbers, against the machine's; and the sign of a difference by a mask.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned multiply(unsigned a, unsigned b) {
  unsigned product = 0;
  while (b != 0) {
    if (b & 1u)
      product += a;
    a <<= 1;
    b >>= 1;
  }
  return product;
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uchar() & 0x1fu;
  unsigned b = __VERIFIER_nondet_uchar() & 0x3fu;
  unsigned product = multiply(a, b);
  if (product != a * b)
    reach_error(); // expect: unreachable
  if (product == 1517) // 37 * 41: 41 is too large
    reach_error(); // expect: unreachable
  if (product == 1363) // 29 * 47
    reach_error(); // expect: reachable
  unsigned mask = 0u - (unsigned)(a < b);
  unsigned smaller = b ^ ((a ^ b) & mask);
  if (smaller > a || smaller > b)
    reach_error(); // expect: unreachable
  if (product == 0 && a == 7)
    reach_error(); // expect: reachable
  return 0;
}
