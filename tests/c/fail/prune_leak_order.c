// Tests two objects that lose their only pointers on different branches: each leak is found on its own path.
// options: --check-leaks
#include <klee/klee.h>
#include <stdlib.h>

static char *first, *second;

int main(void) {
  int n = 0;
  first = malloc(4); //~ leak: memory leak
  second = malloc(4); //~ leak: memory leak
  if (klee_int("a") > 0)
    first = 0;
  else
    second = 0;
  if (klee_int("b") > 0)
    n += 2;
  return n;
}
