// Tests variadic long double arguments, which are passed in memory with 16-byte alignment.
// paths: 1
#include <assert.h>
#include <stdarg.h>

static long double sum(int n, ...) {
  va_list ap;
  long double s = 0;
  va_start(ap, n);
  for (int i = 0; i < n; i++) {
    s += va_arg(ap, int);
    s += va_arg(ap, long double);
  }
  va_end(ap);
  return s;
}

int main(void) {
  assert(sum(3, 1, 0.5L, 2, 0.25L, 3, 0.125L) == 6.875L);
  return 0;
}
