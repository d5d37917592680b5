// Tests a leak on the early-return path only.
// options: --check-leaks
#include <klee/klee.h>
#include <stdlib.h>

static int process(int x) {
  int *tmp = malloc(sizeof *tmp); //~ leak: memory leak
  *tmp = x;
  if (*tmp < 0) {
    tmp = NULL;
    return -1;
  }
  free(tmp);
  return 0;
}

int main(void) {
  process(klee_int("x"));
  return 0;
}
