// Tests a program with two different errors on different paths.
// paths: 1
#include <klee/klee.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  int x = klee_range(0, 4, "x"), y = klee_range(-1, 4, "y");
  int v = 12 / x; //~ div: division by zero
  v += a[y];      //~ ptr: out of bounds
  klee_assert(v >= 5);
  return 0;
}
