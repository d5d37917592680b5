// Tests a write at a symbolic offset that one path has restricted, then reads.
#include <klee/klee.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  int i = klee_range(0, 4, "i"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(i != 3);
  if (klee_int("b") > 0)
    n = 1;
  a[i] = 0;
  if (klee_int("c") > 0)
    n += 2;
  klee_assert(a[3] == 4); //~ assert: assertion failed
  return n;
}
