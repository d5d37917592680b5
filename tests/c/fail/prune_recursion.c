// Tests recursion in which the same point is reached at different depths: only the deepest way is bad.
#include <klee/klee.h>

static int down(int left, int sum) {
  if (left == 0) {
    klee_assert(sum != 0); //~ assert: assertion failed
    return sum;
  }
  if (klee_int("x") > 0)
    return down(left - 1, sum + 1);
  return down(left - 1, sum);
}

int main(void) { return down(4, 0); }
