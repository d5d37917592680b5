// Tests a heap object of symbolic size, which a path has bounded from below.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int size = klee_range(4, 9, "size"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(size > 5);
  char *p = calloc((size_t)size, 1);
  if (klee_int("b") > 0)
    n = 1;
  n += p[5]; //~ ptr: out of bounds
  free(p);
  return n;
}
