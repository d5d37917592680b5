// Tests an access that is in bounds on the first path and hides nothing, and an error behind it on the last only.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  size_t size = 4;
  int d = 0, n = 0;
  if (klee_int("a") > 0)
    size = 8;
  else
    d = 1;
  char *p = calloc(size, 1);
  if (klee_int("b") > 0)
    d++;
  if (klee_int("c") > 0)
    n = 1;
  n += p[6]; //~ ptr: out of bounds
  n += 4 / d; //~ div: division by zero
  free(p);
  return n;
}
