// Example: the smallest useful program. Three paths: negative, zero, positive.
#include <klee/klee.h>

static int get_sign(int x) {
  if (x == 0)
    return 0;
  if (x < 0)
    return -1;
  return 1;
}

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int sign = get_sign(x);
  klee_assert(sign * 2 <= 2);
  return 0;
}
