// Tests sqrt and fma (single rounding).
// paths: 1
#include <assert.h>

int main(void) {
  double two = 2.0;
  assert(__builtin_sqrt(16.0 * two / 2) == 4.0);
  assert(__builtin_sqrt(two) == 0x1.6a09e667f3bcdp+0);
  assert(__builtin_sqrtf(2.25f) == 1.5f);
  double m = -1.0, s = __builtin_sqrt(m);
  assert(s != s);
  double e = 0x1p-52;
  assert(__builtin_fma(1.0 + e, 1.0 + e, -1.0 - 2 * e) == e * e);
  assert((1.0 + e) * (1.0 + e) - (1.0 + 2 * e) == 0.0);
  return 0;
}
