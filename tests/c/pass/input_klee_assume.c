// Tests klee_assume with several constraints that leave one solution.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  klee_assume(x + y == 100);
  klee_assume(x - y == 20);
  assert(x == 60);
  assert(y == 40);
  return 0;
}
