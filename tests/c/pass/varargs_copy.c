// Tests va_copy: two independent walks over one argument list.
// paths: 1
#include <assert.h>
#include <stdarg.h>

static int spread(int n, ...) {
  va_list ap, again;
  va_start(ap, n);
  int first = va_arg(ap, int), max = first, min = first;
  va_copy(again, ap);
  for (int i = 1; i < n; i++) {
    int v = va_arg(ap, int);
    if (v > max)
      max = v;
  }
  for (int i = 1; i < n; i++) {
    int v = va_arg(again, int);
    if (v < min)
      min = v;
  }
  va_end(again);
  va_end(ap);
  return max - min;
}

int main(void) {
  assert(spread(5, 3, -9, 40, 7, 0) == 49);
  return 0;
}
