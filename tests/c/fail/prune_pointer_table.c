// Tests a pointer from a table with a symbolic index: one path can reach the first two, another the null at its end.
#include <klee/klee.h>

static int one = 1, two = 2;
static int *table[3] = {&one, &two, 0};

int main(void) {
  int i = klee_range(0, 3, "i"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(i < 2);
  if (klee_int("b") > 0)
    n = 1;
  return n + *table[i]; //~ ptr: null pointer
}
