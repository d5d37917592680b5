// Tests a divisor that is zero on no combination of three branches.
// paths: 16
#include <klee/klee.h>

int main(void) {
  int d = 8, n = 0;
  if (klee_int("a") > 0)
    d -= 1;
  if (klee_int("b") > 0)
    d -= 2;
  if (klee_int("c") > 0)
    d -= 4;
  if (klee_int("d") > 0)
    n = 1;
  return n + 100 % d;
}
