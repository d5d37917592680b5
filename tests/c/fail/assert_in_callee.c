// Tests that a failing assertion is reported at its own line in the callee.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

static void expect_even(unsigned v) {
  assert(v % 2 == 0); //~ assert: assertion failed
}

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  expect_even(x * 2);
  expect_even(x * 3);
  return 0;
}
