// Tests a fork on the values of a new size, of which the first path has the large ones only.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int size = klee_range(1, 4, "size"), n = 0;
  char *p = malloc(4);
  if (klee_int("a") > 0)
    klee_assume(size > 1);
  if (klee_int("b") > 0)
    n = 1;
  p = realloc(p, (size_t)size);
  p[1] = 3; //~ ptr: out of bounds
  n += p[1];
  free(p);
  return n;
}
