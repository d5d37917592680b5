// Tests a divisor from conditional expressions of constants, which are no branches: it is zero for one choice.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y = klee_int("y"), n = 0;
  int p = x > 10 ? 1 : 0;
  if (klee_int("a") > 0)
    p = 2;
  int q = y == 77 ? -2 : 1;
  if (klee_int("b") > 0)
    n = 1;
  return n + 12 / (p + q + 1); //~ div: division by zero
}
