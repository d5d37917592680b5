// Tests a read just before a heap object.
// paths: 0
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p);
  p[0] = 1;
  int *q = p;
  q--;
  int v = *q; //~ ptr: out of bounds
  free(p);
  return v;
}
