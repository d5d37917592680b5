// Tests a double that differs on two paths by less than any integer sees.
#include <klee/klee.h>

int main(void) {
  double d = 1.25, step = 0.25;
  int n = 0;
  if (klee_int("a") > 0)
    d = 1.5;
  if (klee_int("b") > 0)
    step = 0.125;
  if (klee_int("c") > 0)
    n = 1;
  klee_assert((int)d == 1);
  klee_assert(d + step != 1.5); //~ assert: assertion failed
  return n;
}
