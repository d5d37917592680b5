// Tests klee_assert on a violated range.
// paths: 1
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 100, "x");
  int y = (x * x) % 100;
  klee_assert(y != 44); //~ assert: assertion failed
  return 0;
}
