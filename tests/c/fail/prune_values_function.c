// Tests a call through a table with a symbolic index: the first path can reach two of the three functions.
#include <klee/klee.h>

static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int bad(int x) {
  klee_assert(x > 10); //~ assert: assertion failed
  return x;
}
static int (*const table[3])(int) = {one, two, bad};

int main(void) {
  int i = klee_range(0, 3, "i"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(i < 2);
  if (klee_int("b") > 0)
    n = 1;
  return table[i](n);
}
