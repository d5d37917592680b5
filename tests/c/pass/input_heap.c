// Tests a heap object made symbolic, and made symbolic a second time.
// paths: 4
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  int n = 0;
  for (int i = 0; i < 2; i++) {
    klee_make_symbolic(p, sizeof *p, "p");
    if (*p == 77)
      n++;
  }
  klee_assert(n <= 2);
  free(p);
  return 0;
}
