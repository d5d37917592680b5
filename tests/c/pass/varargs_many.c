// Tests more variadic arguments than there are argument registers, integer and floating-point.
// paths: 1
#include <assert.h>
#include <stdarg.h>

static int ints(int n, ...) {
  va_list ap;
  int s = 0;
  va_start(ap, n);
  for (int i = 1; i <= n; i++)
    s += i * va_arg(ap, int);
  va_end(ap);
  return s;
}
static double doubles(int n, ...) {
  va_list ap;
  double s = 0;
  va_start(ap, n);
  for (int i = 1; i <= n; i++)
    s += i * va_arg(ap, double);
  va_end(ap);
  return s;
}

int main(void) {
  assert(ints(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) == 650);
  assert(doubles(11, 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., .5) == 60.5);
  return 0;
}
