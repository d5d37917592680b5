// Tests a copy of a local that is an input on one path and was never written on the other, decided on after a join.
// options: --check-uninit
// symbolic-only
#include <klee/klee.h>

int main(void) {
  int v, n = 0;
  int *p = &v;
  if (klee_int("a") > 0)
    *p = klee_int("v");
  int copy = v;
  p = 0;
  if (klee_int("b") > 0)
    n = 1;
  if (copy == 7) //~ uninit: uninitialised read
    n += 2;
  return n;
}
