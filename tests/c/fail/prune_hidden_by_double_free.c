// Tests two errors of which a double free hides the second: the object is freed on the first path only.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p), n = 0;
  if (klee_int("a") > 0)
    free(p);
  if (klee_int("b") > 0)
    n = 1;
  free(p); //~ free: double free
  klee_assert(klee_int("c") != 5); //~ assert: assertion failed
  return n;
}
