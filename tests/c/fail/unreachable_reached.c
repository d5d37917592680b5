// Tests reaching __builtin_unreachable.
// paths: 2
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 3, "x");
  int r = 0;
  switch (x) {
  case 0: r = 3; break;
  case 1: r = 5; break;
  default:
    __builtin_unreachable(); //~ unreachable_call: reached unreachable
  }
  klee_assert(r == 3 + 2 * x);
  return 0;
}
