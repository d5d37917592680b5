// Tests assumptions on single paths that together keep the assertion.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(x > 5);
  else
    klee_assume(x < 3);
  if (klee_int("b") > 0)
    n = 1;
  klee_assert(x != 3);
  return n;
}
