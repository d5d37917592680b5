// Tests a path that has allocated one object more, so that later ones are elsewhere.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *extra = 0;
  int n = 0;
  if (klee_int("a") <= 0)
    extra = calloc(1, 1);
  if (klee_int("b") > 0)
    n = 1;
  char *p = malloc(2);
  p[0] = (char)n;
  p[1] = 1;
  if (klee_int("c") > 0)
    n = 2;
  if (extra)
    n += 6 / extra[0]; //~ div: division by zero
  n += p[0];
  free(p);
  free(extra);
  return n;
}
