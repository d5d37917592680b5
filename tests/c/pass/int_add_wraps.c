// Tests that 32-bit addition wraps around and that signed overflow is not an error by default.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <limits.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int y = x + 1;
  if (y < x) {
    assert(x == INT_MAX);
    assert(y == INT_MIN);
  } else {
    assert(x != INT_MAX);
  }
  return 0;
}
