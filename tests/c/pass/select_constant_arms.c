// Tests that a conditional with constant arms becomes a select and does not fork.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int v = x > 10 ? 4 : 5;
  assert(v * 2 - 8 == 2 * (x <= 10));
  return 0;
}
