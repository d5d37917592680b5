// Tests memory that is freed on the last path only and used after the join.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p), n = 0;
  *p = 1;
  if (klee_int("a") > 0)
    n = 1;
  else
    free(p);
  if (klee_int("b") > 0)
    n += 2;
  return n + *p; //~ ptr: use after free
}
