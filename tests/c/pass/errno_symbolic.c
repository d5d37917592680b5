// Tests errno behind mathematics and allocations whose operands are symbolic: set where the machine sets it, and nowhere else.
#include <assert.h>
#include <errno.h>
#include <klee/klee.h>
#include <math.h>
#include <stdlib.h>

int main(void) {
  float x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  errno = ERANGE;
  sqrtf(x);
  assert(errno == (x < 0 ? EDOM : ERANGE));
  errno = 0;
  fmodf(x, y);
  int is_error = (isinf(x) || y == 0) && !isnan(x) && !isnan(y);
  assert(errno == (is_error ? EDOM : 0));
  return 0;
}
