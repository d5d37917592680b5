// Tests a read of malloc'ed memory before any write.
// options: --check-uninit
// symbolic-only
#include <stdlib.h>

static int first(const int *p) {
  return p[0] > 0; //~ uninit: uninitialised read
}

int main(void) {
  int *p = malloc(2 * sizeof *p);
  p[1] = 1;
  int r = first(p);
  free(p);
  return r;
}
