// Tests klee_is_symbolic of a value that is an input on the first path and a number on the last.
// symbolic-only
#include <klee/klee.h>

int main(void) {
  int x = 3, n = 0;
  if (klee_int("a") > 0)
    x = klee_int("x");
  if (klee_int("b") > 0)
    n = 1;
  klee_assert(klee_is_symbolic((unsigned)x)); //~ assert: assertion failed
  return n;
}
