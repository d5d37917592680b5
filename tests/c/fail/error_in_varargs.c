// Tests an error found through a value passed as a variadic argument.
// paths: 1
#include <klee/klee.h>
#include <stdarg.h>

static int pick(int n, ...) {
  int a[4] = {0};
  va_list ap;
  va_start(ap, n);
  int i = va_arg(ap, int);
  va_end(ap);
  return a[i]; //~ ptr: out of bounds
}

int main(void) {
  int i = klee_range(0, 5, "i");
  return pick(1, i);
}
