// Comparisons of floats that are not numbers, of infinities and zeros: the order that a program may not rely on.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x < 1.0f) && !(x >= 1.0f))
    reach_error(); // expect: reachable
  if (x < 1.0f && x > 2.0f)
    reach_error(); // expect: unreachable
  if (x == x + 1.0f && x < 100.0f && x > -100.0f)
    reach_error(); // expect: unreachable
  if (x == x + 1.0f && x > 0.0f)
    reach_error(); // expect: reachable
  if (x * 0.0f != 0.0f && x == x && x < 1.0e30f && x > -1.0e30f)
    reach_error(); // expect: unreachable
  if (x == 0.0f && 1.0f / x < 0.0f) // minus zero
    reach_error(); // expect: reachable
  return 0;
}
