// Tests structs as variadic arguments: in registers, in floating-point registers and in memory.
// paths: 1
#include <assert.h>
#include <stdarg.h>

struct small {
  int a, b;
};
struct fp {
  double d;
};
struct large {
  long v[4];
};

static long take(int n, ...) {
  va_list ap;
  va_start(ap, n);
  struct small s = va_arg(ap, struct small);
  struct large l = va_arg(ap, struct large);
  struct fp f = va_arg(ap, struct fp);
  int last = va_arg(ap, int);
  va_end(ap);
  return s.a * 1000 + s.b * 100 + l.v[3] * 10 + (long)(f.d * 2) + last;
}

int main(void) {
  struct small s = {1, 2};
  struct large l = {{9, 9, 9, 3}};
  struct fp f = {1.5};
  assert(take(0, s, l, f, 4) == 1237);
  return 0;
}
