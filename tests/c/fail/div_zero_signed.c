// Tests signed division by a symbolic value that may be zero.
// paths: 1
#include <klee/klee.h>

int main(void) {
  signed char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int q = 1000 / x; //~ div: division by zero
  klee_assert(q != 0);
  return 0;
}
