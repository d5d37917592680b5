// Tests two heap objects that two paths allocate in different order, at the same addresses.
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
  *q = 0;
  int *first = p < q ? p : q;
  if (klee_int("b") > 0)
    n = 1;
  n += 4 / *first; //~ div: division by zero
  free(p);
  free(q);
  return n;
}
