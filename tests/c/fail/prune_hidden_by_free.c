// Tests two errors of which a use after free hides the second: the object is freed on the first path only.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p), n = 0;
  *p = 1;
  if (klee_int("a") > 0)
    free(p);
  if (klee_int("b") > 0)
    n = 1;
  n += *p; //~ ptr: use after free
  klee_assert(klee_int("c") != 5); //~ assert: assertion failed
  return n;
}
