// Tests signed zero: negation, division sign, and bit patterns.
// paths: 1
#include <assert.h>
#include <math.h>

int main(void) {
  double z = 0.0, n = -z;
  assert(z == n);
  assert(1.0 / z > 0);
  assert(1.0 / n < 0);
  assert(signbit(n) && !signbit(z));
  assert(!signbit(z + n));
  assert(signbit(n + n));
  assert(!signbit(n * n));
  return 0;
}
