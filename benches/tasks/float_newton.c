// Newton's iteration for the square root of a whole number from 1 to 20: nine steps come close, and never below the root by much.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 20)
    return 0;
  double x = 0.0;
  for (int k = 1; k <= 20; k++)
    if (n == k)
      x = k;
  double square = x;
  for (int i = 0; i < 9; i++)
    x = 0.5 * (x + square / x);
  double error = x * x - square;
  if (error > 1.0e-6 || error < -1.0e-6)
    reach_error(); // expect: unreachable
  if (x == 4.0)
    reach_error(); // expect: reachable
  if (x > 4.5)
    reach_error(); // expect: unreachable
  if (x > 1.4142 && x < 1.4143)
    reach_error(); // expect: reachable
  return 0;
}
