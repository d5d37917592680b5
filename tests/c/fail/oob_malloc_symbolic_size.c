// Tests an access that is outside a heap object of symbolic size for some sizes only.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int n = klee_range(1, 6, "n");
  char *p = malloc((size_t)n);
  p[0] = 1;
  p[3] = 1; //~ ptr: out of bounds
  free(p);
  return 0;
}
