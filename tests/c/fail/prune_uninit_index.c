// Tests an index that is an input in bounds on one path and never written on the other.
// options: --check-uninit
// symbolic-only
#include <klee/klee.h>

int main(void) {
  int a[4] = {1, 2, 3, 4}, n = 0;
  unsigned i;
  unsigned *p = &i;
  if (klee_int("a") > 0)
    *p = (unsigned)klee_range(0, 4, "i");
  if (klee_int("b") > 0)
    n = 1;
  return n + a[i & 3]; //~ uninit: uninitialised read
}
