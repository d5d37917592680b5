// Tests a double that is zero on both paths, but negative on one.
#include <klee/klee.h>

int main(void) {
  double zero = -0.0;
  int n = 0;
  if (klee_int("a") > 0)
    zero = 0.0;
  if (klee_int("b") > 0)
    n = 1;
  klee_assert(zero == 0.0);
  klee_assert(1.0 / zero > 0.0); //~ assert: assertion failed
  return n;
}
