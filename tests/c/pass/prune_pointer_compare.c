// Tests a decision on two pointers that differ on every combination of branches.
// paths: 8
#include <klee/klee.h>
#include <stdlib.h>

static int a, b, c, d;

int main(void) {
  int *p = &c, *q = &d, n = 0;
  if (klee_int("p") > 0)
    p = &a;
  if (klee_int("q") > 0)
    q = &b;
  if (klee_int("n") > 0)
    n = 1;
  if (p == q)
    abort();
  return n;
}
