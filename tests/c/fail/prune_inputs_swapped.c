// Tests two restricted inputs that a branch has swapped: the states are alike but for which is which.
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 5, "x"), y = klee_range(3, 9, "y"), n = 0;
  int low = y, high = x;
  if (klee_int("a") > 0) {
    low = x;
    high = y;
  }
  if (klee_int("b") > 0)
    n = 1;
  klee_assert(low < 5); //~ assert: assertion failed
  return n + high;
}
