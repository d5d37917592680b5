// Tests a symbolic double split into ranges; the last path holds the values above and NaN.
// paths: 3
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  int r;
  if (x < -10.0)
    r = 0;
  else if (x <= 10.0)
    r = 1;
  else
    r = 2;
  if (r == 1)
    assert(x + 1.0 <= 11.0);
  return 0;
}
