// Tests a read beyond the new size after realloc shrank the block.
// paths: 0
#include <stdlib.h>

int main(void) {
  char *p = calloc(1, 20);
  p = realloc(p, 8);
  char c = p[8]; //~ ptr: out of bounds
  free(p);
  return c;
}
