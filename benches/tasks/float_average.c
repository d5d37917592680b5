// The average of two measurements within limits lies between them; outside of limits it need not be finite.
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  float a = __VERIFIER_nondet_float();
  float b = __VERIFIER_nondet_float();
  __VERIFIER_assume(a >= -1000.0f && a <= 1000.0f);
  __VERIFIER_assume(b >= -1000.0f && b <= 1000.0f);
  float average = (a + b) / 2.0f;
  if (average > 1000.0f)
    reach_error(); // expect: unreachable
  if (average != average)
    reach_error(); // expect: unreachable
  if (average == 12.5f && a == 10.0f)
    reach_error(); // expect: reachable
  if (average == -1000.0f)
    reach_error(); // expect: reachable
  return 0;
}
