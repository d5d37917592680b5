// Tests memory that is freed on one path only, and used on the others only.
// paths: 4
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p), n = 0;
  *p = 1;
  if (klee_int("a") > 0) {
    n = 1;
  } else {
    free(p);
    p = 0;
  }
  if (klee_int("b") > 0)
    n += 2;
  if (p)
    n += *p;
  free(p);
  return n;
}
