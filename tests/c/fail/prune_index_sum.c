// Tests an index that is the sum of what two branches chose: only both false sides together are bad.
#include <klee/klee.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  int i = 2, j = 2, n = 0;
  if (klee_int("a") > 0)
    i = 1;
  if (klee_int("b") > 0)
    j = 1;
  if (klee_int("c") > 0)
    n = 1;
  n += a[i + j]; //~ ptr: out of bounds
  return n;
}
