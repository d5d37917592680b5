// Tests fabs, copysign, fmin and fmax, including NaN operands.
// paths: 1
#include <assert.h>
#include <math.h>

int main(void) {
  double m = -2.5, p = 4.0, nan = NAN;
  assert(__builtin_fabs(m) == 2.5);
  assert(__builtin_fabsf(-0.5f) == 0.5f);
  assert(__builtin_copysign(p, m) == -4.0);
  assert(__builtin_copysign(m, p) == 2.5);
  assert(__builtin_fmin(m, p) == -2.5);
  assert(__builtin_fmax(m, p) == 4.0);
  assert(__builtin_fmin(nan, p) == 4.0);
  assert(__builtin_fmax(p, nan) == 4.0);
  return 0;
}
