// Tests a computed goto through a table with a symbolic index: the first path can reach two of the three labels.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  static void *const table[3] = {&&one, &&two, &&bad};
  int i = klee_range(0, 3, "i"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(i < 2);
  if (klee_int("b") > 0)
    n = 1;
  goto *table[i];
one:
  return n;
two:
  return n + 1;
bad:
  abort(); //~ abort: abort called
}
