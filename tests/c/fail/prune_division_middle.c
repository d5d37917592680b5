// Tests a divisor that is zero in the middle of the search: true, false, true.
#include <klee/klee.h>

int main(void) {
  int d = 0, n = 0;
  if (klee_int("a") > 0)
    d += 1;
  if (klee_int("b") > 0)
    d += 2;
  if (klee_int("c") > 0)
    d += 4;
  if (klee_int("d") > 0)
    n = 1;
  return n + 100 / (d - 5); //~ div: division by zero
}
