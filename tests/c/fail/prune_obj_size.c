// Tests klee_get_obj_size of an object that two paths have made with different sizes.
// symbolic-only
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  size_t size = 4;
  int n = 0;
  if (klee_int("a") > 0)
    size = 8;
  char *p = malloc(size);
  if (klee_int("b") > 0)
    n = 1;
  klee_assert(klee_get_obj_size(p) == 8); //~ assert: assertion failed
  free(p);
  return n;
}
