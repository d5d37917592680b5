// Tests a decision on one of two inputs that a branch has chosen, the other of which is restricted.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y = klee_range(0, 5, "y"), n = 0;
  int *p = &x;
  if (klee_int("a") > 0)
    p = &y;
  if (klee_int("b") > 0)
    n = 1;
  klee_assert(*p < 5); //~ assert: assertion failed
  return n;
}
