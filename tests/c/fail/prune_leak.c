// Tests an object that only the last path loses, after which it forks again.
// options: --check-leaks
#include <klee/klee.h>
#include <stdlib.h>

static char *kept;

int main(void) {
  int n = 0;
  kept = malloc(4); //~ leak: memory leak
  if (klee_int("a") > 0)
    n = 1;
  else
    kept = 0;
  if (klee_int("b") > 0)
    n += 2;
  return n;
}
