// Tests solving x * x == 2.25 for a symbolic float: both roots are found.
// paths: 3
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x * x == 2.25f) {
    if (x > 0)
      assert(x == 1.5f);
    else
      assert(x == -1.5f);
  }
  return 0;
}
