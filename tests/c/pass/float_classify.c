// Tests isnan, isinf, isfinite, isnormal and signbit.
// paths: 1
#include <assert.h>
#include <math.h>

int main(void) {
  double inf = INFINITY, nan = NAN, z = -0.0, tiny = 0x1p-1070;
  float f = -3.0f;
  assert(isinf(inf) && !isinf(nan) && !isinf(z));
  assert(isnan(nan) && !isnan(inf));
  assert(isfinite(z) && !isfinite(inf) && !isfinite(nan));
  assert(!isnormal(tiny) && tiny > 0);
  assert(isnormal(f));
  assert(signbit(z) && signbit(f) && !signbit(inf));
  return 0;
}
