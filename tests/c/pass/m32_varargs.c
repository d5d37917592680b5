// Tests variadic arguments under -m32, where va_list is a plain stack pointer.
// options: --cc-arg=-m32 --cc-arg=-ffreestanding
// paths: 1
// symbolic-only
#include <klee/klee.h>
#include <stdarg.h>

struct pt {
  int x, y;
};

static long long sum(const char *types, ...) {
  va_list ap;
  va_start(ap, types);
  long long s = 0;
  for (; *types; types++) {
    if (*types == 'i')
      s += va_arg(ap, int);
    else if (*types == 'l')
      s += va_arg(ap, long long);
    else if (*types == 'd')
      s += (long long)va_arg(ap, double);
    else {
      struct pt p = va_arg(ap, struct pt);
      s += p.x * p.y;
    }
  }
  va_end(ap);
  return s;
}

int main(void) {
  struct pt p = {6, 7};
  klee_assert(sum("ilidpi", 1, 1LL << 40, 2, 3.5, p, 4) == (1LL << 40) + 52);
  return 0;
}
