// Tests an assertion that fails only for the solution of a linear equation.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  assert(x * 7 + 3 != 80); //~ assert: assertion failed
  return 0;
}
