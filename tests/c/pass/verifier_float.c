// Tests __VERIFIER_nondet_float and __VERIFIER_nondet_double.
// paths: 4
#include <assert.h>

extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  float f = __VERIFIER_nondet_float();
  double d = __VERIFIER_nondet_double();
  int n = 0;
  if (f >= 0.5f)
    n++;
  if (d < -1e100)
    n++;
  assert(n <= 2);
  return 0;
}
