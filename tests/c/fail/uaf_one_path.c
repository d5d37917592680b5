// Tests memory freed early on one path only and used by all.
// paths: 3
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  int mode = klee_range(0, 4, "mode");
  *p = 0;
  if (mode == 1)
    *p = 1;
  else if (mode == 2)
    free(p);
  else if (mode == 3)
    *p = 3;
  klee_assert(*p == mode); //~ ptr: use after free
  free(p);
  return 0;
}
