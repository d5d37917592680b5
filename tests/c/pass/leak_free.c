// Tests that a program which frees everything has no leak reported.
// options: --check-leaks
// paths: 2
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int c = klee_int("c");
  char *p = malloc(10);
  if (c > 0) {
    free(p);
    p = NULL;
  }
  free(p);
  return 0;
}
