// Tests a pointer that is one of several objects, chosen by a symbolic table index.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int a = 10, b = 20, c = 30;
  int *const which[3] = {&a, &b, &c};
  int i = klee_range(0, 3, "i");
  int *p = which[i];
  assert(*p == 10 * (i + 1));
  *p = 7;
  assert(a + b + c == 67 - 10 * (i + 1));
  return 0;
}
