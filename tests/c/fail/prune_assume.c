// Tests an assumption on the first path only: without it the divisor can be zero.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(x > 5);
  if (klee_int("b") > 0)
    n = 1;
  klee_assert(x != 3); //~ assert: assertion failed
  return n;
}
