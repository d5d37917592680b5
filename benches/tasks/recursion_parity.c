// Even and odd by mutual recursion, for a number up to 40: they exclude each other and agree with the remainder.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static int is_odd(unsigned n);

static int is_even(unsigned n) {
  return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(unsigned n) {
  return n == 0 ? 0 : is_even(n - 1);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 40)
    return 0;
  int even = is_even(n), odd = is_odd(n);
  if (even == odd)
    reach_error(); // expect: unreachable
  if (even != (n % 2 == 0))
    reach_error(); // expect: unreachable
  if (odd && n > 38)
    reach_error(); // expect: reachable
  if (even && n == 0)
    reach_error(); // expect: reachable
  return 0;
}
