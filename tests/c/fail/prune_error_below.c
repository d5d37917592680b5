// Tests a subtree with an error in it that later states repeat, and a second error that only the last of them has.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), d = 0, n = 0;
  if (klee_int("a") > 0)
    d = 1;
  if (klee_int("b") > 0)
    d += 2;
  if (klee_int("c") > 0)
    n = 1;
  if (x == 3)
    n = 2;
  klee_assert(x != 4); //~ assert: assertion failed
  return n + 8 / d; //~ div: division by zero
}
