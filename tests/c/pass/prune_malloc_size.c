// Tests a heap object of different size on two paths, large enough on both.
// paths: 4
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  size_t size = 6;
  int n = 0;
  if (klee_int("a") > 0)
    size = 8;
  char *p = calloc(size, 1);
  if (klee_int("b") > 0)
    n = 1;
  n += p[5];
  free(p);
  return n;
}
