// Tests variadic doubles mixed with integers, and float promotion.
// paths: 1
#include <assert.h>
#include <stdarg.h>

static double mix(const char *types, ...) {
  va_list ap;
  double sum = 0;
  va_start(ap, types);
  for (; *types; types++) {
    if (*types == 'i')
      sum += va_arg(ap, int);
    else
      sum += va_arg(ap, double);
  }
  va_end(ap);
  return sum;
}

int main(void) {
  float f = 0.25f;
  assert(mix("idd", 1, 2.5, f) == 3.75);
  assert(mix("didi", 0.5, 10, 0.125, 20) == 30.625);
  return 0;
}
