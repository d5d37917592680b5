// Tests a left shift by a symbolic amount that may reach the width.
// paths: 1
#include <klee/klee.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  unsigned one = 1;
  unsigned v = one << n; //~ overshift: overshift
  klee_assert(v != 0);
  return 0;
}
