// Tests freeing a pointer into the middle of a block.
// paths: 1
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(32);
  int i = klee_range(0, 2, "i");
  char *q = p;
  if (i)
    q += 16;
  free(q); //~ free: invalid free
  return 0;
}
