// Tests an assumption that is possible on the first path, and never on the last.
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 10, "x"), low = 20, n = 0;
  if (klee_int("a") > 0)
    low = 5;
  if (klee_int("b") > 0)
    n = 1;
  klee_assume(x > low); //~ user: invalid klee_assume
  return n;
}
