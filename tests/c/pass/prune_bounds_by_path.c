// Tests a symbolic index that is kept in bounds by another condition on each path.
#include <klee/klee.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  int i = klee_range(0, 6, "i"), n = 0;
  if (i < 4)
    n = 1;
  else
    i -= 2;
  if (klee_int("b") > 0)
    n += 2;
  return n + a[i];
}
