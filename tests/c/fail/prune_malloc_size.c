// Tests a heap object that is too small on the last path.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  size_t size = 4;
  int n = 0;
  if (klee_int("a") > 0)
    size = 8;
  char *p = calloc(size, 1);
  if (klee_int("b") > 0)
    n = 1;
  n += p[5]; //~ ptr: out of bounds
  free(p);
  return n;
}
