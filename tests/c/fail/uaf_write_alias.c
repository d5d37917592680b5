// Tests a write to freed memory through a second pointer into the block.
// paths: 0
#include <stdlib.h>

int main(void) {
  char *p = malloc(10);
  char *mid = p + 5;
  free(p);
  *mid = 'x'; //~ ptr: use after free
  return 0;
}
