// Tests branching on a symbolic float: greater, or not (which includes NaN).
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x > 1.5f)
    assert(x >= 1.5f);
  else
    assert(!(x > 2.0f));
  return 0;
}
