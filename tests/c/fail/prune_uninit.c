// Tests a local that is an input on one path and never written on the other, after a join.
// options: --check-uninit
// symbolic-only
#include <klee/klee.h>

int main(void) {
  int v, n = 0;
  int *p = &v;
  if (klee_int("a") > 0)
    *p = klee_int("v");
  if (klee_int("b") > 0)
    n = 1;
  if (v == 7) //~ uninit: uninitialised read
    n += 2;
  return n;
}
