// Tests that a branch contradicting an earlier assumption is never entered.
// paths: 1
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x % 4 == 1);
  if (x % 2 == 0)
    abort();
  if ((x & 3) == 3)
    abort();
  return 0;
}
