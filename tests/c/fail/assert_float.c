// Tests an assertion on a symbolic float that almost no value violates.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x >= 0.0f);
  klee_assume(x <= 8.0f);
  assert(x + 1.25f != 4.0f); //~ assert: assertion failed
  return 0;
}
