// Tests clamping with an early return and a conditional expression over variables.
// paths: 3
#include <assert.h>
#include <klee/klee.h>

static int clamp(int v, int lo, int hi) {
  if (v < lo)
    return lo;
  return v > hi ? hi : v;
}

int main(void) {
  int x = klee_int("x");
  int c = clamp(x, -5, 5);
  assert(c >= -5);
  assert(c <= 5);
  return 0;
}
