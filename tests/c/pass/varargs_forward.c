// Tests passing a va_list on to another function, with a symbolic argument.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdarg.h>

static int vpick(int index, va_list ap) {
  int v = 0;
  for (int i = 0; i <= index; i++)
    v = va_arg(ap, int);
  return v;
}
static int pick(int index, ...) {
  va_list ap;
  va_start(ap, index);
  int v = vpick(index, ap);
  va_end(ap);
  return v;
}

int main(void) {
  int x = klee_int("x");
  assert(pick(2, 10, 20, x, 40) == x);
  if (pick(0, x, 1) > 5)
    assert(x > 5);
  else
    assert(x <= 5);
  return 0;
}
