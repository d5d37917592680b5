// Ackermann's function for small arguments, by the definition: values that are known, and monotony.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
  int m = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  if (m < 0 || m > 2 || n < 0 || n > 4)
    return 0;
  int result = ackermann(m, n);
  if (result <= n)
    reach_error(); // expect: unreachable
  if (m == 1 && result != n + 2)
    reach_error(); // expect: unreachable
  if (m == 2 && result != 2 * n + 3)
    reach_error(); // expect: unreachable
  if (result == 11)
    reach_error(); // expect: reachable
  if (m == 1 && result == 6)
    reach_error(); // expect: reachable
  return 0;
}
