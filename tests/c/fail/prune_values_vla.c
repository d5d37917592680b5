// Tests a fork on the size of a stack array, of which the first path has the large ones only.
#include <klee/klee.h>

int main(void) {
  int size = klee_range(2, 5, "size"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(size > 2);
  if (klee_int("b") > 0)
    n = 1;
  char a[size];
  a[2] = 3; //~ ptr: out of bounds
  return n + a[2];
}
