// Tests variadic arguments that two paths give differently, read after a fork in the callee.
#include <klee/klee.h>
#include <stdarg.h>

static int take(int count, ...) {
  va_list list;
  int n = 0;
  if (klee_int("b") > 0)
    n = 1;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    n += 6 / va_arg(list, int); //~ div: division by zero
  va_end(list);
  return n;
}

int main(void) {
  int v = 0;
  if (klee_int("a") > 0)
    v = 2;
  if (klee_int("c") > 0)
    return take(1, 3);
  return take(2, 3, v);
}
