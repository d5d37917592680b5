// Tests an index out of bounds on all inputs of the first path, and some of the last, where a second error follows.
#include <klee/klee.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  int i = klee_range(0, 6, "i"), n = 0;
  if (i > 3)
    n = 1;
  if (klee_int("b") > 0)
    n += 2;
  n += a[i]; //~ ptr: out of bounds
  klee_assert(i != 2); //~ assert: assertion failed
  return n;
}
