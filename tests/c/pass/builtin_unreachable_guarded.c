// Tests that __builtin_unreachable on an infeasible path is not reported.
// paths: 3
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 3, "x");
  int r;
  switch (x) {
  case 0: r = 3; break;
  case 1: r = 5; break;
  case 2: r = 7; break;
  default: __builtin_unreachable();
  }
  assert(r == 3 + 2 * x);
  return 0;
}
