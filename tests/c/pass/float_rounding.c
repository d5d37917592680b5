// Tests floor, ceil, trunc, rint and round on positive, negative and half-way values.
// paths: 1
#include <assert.h>

int main(void) {
  double a = 2.5, b = -2.5, c = 3.5, d = -0.4;
  assert(__builtin_floor(a) == 2.0 && __builtin_floor(b) == -3.0);
  assert(__builtin_ceil(a) == 3.0 && __builtin_ceil(b) == -2.0);
  assert(__builtin_trunc(a) == 2.0 && __builtin_trunc(b) == -2.0);
  assert(__builtin_rint(a) == 2.0 && __builtin_rint(c) == 4.0);
  assert(__builtin_nearbyint(b) == -2.0);
  assert(__builtin_round(a) == 3.0 && __builtin_round(b) == -3.0);
  assert(__builtin_ceil(d) == 0.0 && 1.0 / __builtin_ceil(d) < 0);
  assert(__builtin_floorf(1.75f) == 1.0f);
  return 0;
}
