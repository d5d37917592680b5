// Tests two heap objects that two paths allocate in different order, with nothing to find.
// paths: 4
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int *p, *q, n = 0;
  if (klee_int("a") > 0) {
    p = malloc(sizeof *p);
    q = malloc(sizeof *q);
  } else {
    q = malloc(sizeof *q);
    p = malloc(sizeof *p);
  }
  *p = 1;
  *q = 2;
  if (klee_int("b") > 0)
    n = 1;
  n += 4 / (*p + *q);
  klee_assert(*p == 1 && *q == 2);
  free(p);
  free(q);
  return n;
}
