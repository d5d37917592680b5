// Tests a read from freed memory.
// paths: 0
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);
  return *p; //~ ptr: use after free
}
