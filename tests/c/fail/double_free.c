// Tests freeing a block twice.
// paths: 0
#include <stdlib.h>

int main(void) {
  char *p = malloc(8);
  char *q = p;
  free(p);
  free(q); //~ free: double free
  return 0;
}
