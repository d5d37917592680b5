// Tests integer absolute value.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int m = -17;
  long l = -5000000000l;
  assert(__builtin_abs(m) == 17);
  assert(__builtin_labs(l) == 5000000000l);
  signed char c;
  klee_make_symbolic(&c, sizeof c, "c");
  int a = __builtin_abs(c);
  assert(a >= 0);
  assert(a * a == c * c);
  return 0;
}
