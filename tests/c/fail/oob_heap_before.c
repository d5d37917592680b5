// Tests a read just before a heap object.
// paths: 0
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p);
  p[0] = 1;
  int *q = p;
  q--;
  int v = *q; //~ ptr: out of bounds: read of 4 bytes, 4 bytes before `p` (16 bytes, heap, allocated at
  free(p);
  return v;
}
