// Tests variadic functions with int, long and pointer arguments.
// paths: 1
#include <assert.h>
#include <stdarg.h>

static long total(int n, ...) {
  va_list ap;
  long sum = 0;
  va_start(ap, n);
  for (int i = 0; i < n; i++)
    sum += va_arg(ap, int);
  long *out = va_arg(ap, long *);
  *out = va_arg(ap, long);
  va_end(ap);
  return sum;
}

int main(void) {
  long extra = 0;
  assert(total(2, 30, -4, &extra, 1L << 40) == 26);
  assert(extra == 1L << 40);
  return 0;
}
