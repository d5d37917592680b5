// Tests two errors of which the first, on one path, ends the path before the second.
#include <klee/klee.h>

int main(void) {
  int d = 1, n = 0;
  if (klee_int("a") > 0)
    d = 0;
  if (klee_int("b") > 0)
    n = 1;
  n += 4 / d; //~ div: division by zero
  klee_assert(klee_int("c") != 5); //~ assert: assertion failed
  return n;
}
