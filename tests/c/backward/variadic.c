// A function that takes any number of arguments is left to its callers.
#include <stdarg.h>

void hit(void) {}

static void k(int x) {
  if (x == 7)
    hit(); // reachable
  if (x == 8)
    hit(); // unreachable
}
static void f(int count, ...) {
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    k(va_arg(list, int));
  va_end(list);
}
int main(void) {
  f(2, 3, 7);
  return 0;
}
