// Tests use of the old pointer after realloc moved the block.
// paths: 0
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p);
  p[0] = 1;
  int *old = p;
  p = realloc(p, 4000 * sizeof *p);
  int v = old[0]; //~ ptr: use after free
  free(p);
  return v;
}
