// Tests two values that are the same input on one path and two inputs on the other.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y = x, n = 0;
  if (klee_int("a") <= 0)
    y = klee_int("y");
  if (klee_int("b") > 0)
    n = 1;
  klee_assert(x == y); //~ assert: assertion failed
  return n;
}
