// Tests a fork on the values of the length of a memset: the last path has one that is too long.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char a[2] = {1, 2};
  int size = klee_range(0, 4, "size"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(size < 2);
  if (klee_int("b") > 0)
    n = 1;
  memset(a, 0, (size_t)size); //~ ptr: out of bounds
  return n + a[1];
}
