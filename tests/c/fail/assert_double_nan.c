// Tests an assertion that forgets NaN.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  int r = 0;
  if (x < 0.0)
    r = 1;
  else if (x >= 0.0)
    r = 2;
  assert(r != 0); //~ assert: assertion failed
  return 0;
}
