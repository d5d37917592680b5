// Tests a struct member that is a number on one path and never written on the other.
// options: --check-uninit
// symbolic-only
#include <klee/klee.h>
#include <stdlib.h>

struct pair {
  int first, second;
};

int main(void) {
  struct pair *p = malloc(sizeof *p);
  int n = 0;
  p->first = 1;
  if (klee_int("a") > 0)
    p->second = 2;
  if (klee_int("b") > 0)
    n = 1;
  if (p->second == 3) //~ uninit: uninitialised read
    n += p->first;
  free(p);
  return n;
}
