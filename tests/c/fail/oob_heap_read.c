// Tests a read one element past a heap array.
// paths: 0
#include <stdlib.h>

int main(void) {
  int *p = calloc(10, sizeof *p);
  int v = p[10]; //~ ptr: out of bounds
  free(p);
  return v;
}
