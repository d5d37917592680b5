// Tests a leap-year rule that forgets the 400-year exception.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

static int naive(int y) {
  if (y % 4 != 0)
    return 0;
  return y % 100 != 0;
}

int main(void) {
  int y = klee_range(1990, 2030, "y");
  int leap = naive(y);
  if (leap == 0)
    assert(y % 400 != 0); //~ assert: assertion failed
  return 0;
}
