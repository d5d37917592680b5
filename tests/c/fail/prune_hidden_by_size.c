// Tests two errors of which an access out of bounds hides the second: the object is small on the first path only.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *p;
  int n = 0;
  if (klee_int("a") > 0)
    p = calloc(4, 1);
  else
    p = calloc(8, 1);
  if (klee_int("b") > 0)
    n = 1;
  n += p[6]; //~ ptr: out of bounds
  klee_assert(klee_int("c") != 5); //~ assert: assertion failed
  free(p);
  return n;
}
