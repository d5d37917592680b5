// Tests a symbolic index whose bounds check is proved by the path on one side only.
#include <klee/klee.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  int i = klee_range(0, 6, "i"), n = 0;
  if (i < 4)
    n = 1;
  if (klee_int("b") > 0)
    n += 2;
  n += a[i < 5 ? i : 3]; //~ ptr: out of bounds
  return n;
}
