// Tests float and double arithmetic: rounding to the type, remainder of precision, infinity.
// paths: 1
#include <assert.h>

int main(void) {
  float f = 16777216.0f;
  assert(f + 1.0f == f);
  double d = 16777216.0;
  assert(d + 1.0 == 16777217.0);
  float tenth = 0.1f;
  double dtenth = 0.1;
  assert(tenth != dtenth);
  assert(tenth * 10.0f == 1.0f);
  assert(dtenth + 0.2 != 0.3);
  double zero = 0.0, one = 1.0;
  assert(one / zero > 1e308);
  assert(-one / zero < -1e308);
  assert(7.5 / (one + one) == 3.75);
  assert(-f == 0 - f);
  return 0;
}
