// Tests a decision on two pointers that are equal on one combination of branches only.
#include <klee/klee.h>
#include <stdlib.h>

static int a, b, c;

int main(void) {
  int *p = &c, *q = &c, n = 0;
  if (klee_int("p") > 0)
    p = &a;
  if (klee_int("q") > 0)
    q = &b;
  if (klee_int("n") > 0)
    n = 1;
  if (p == q)
    abort(); //~ abort: abort called
  return n;
}
