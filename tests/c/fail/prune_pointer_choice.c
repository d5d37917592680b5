// Tests a symbolic pointer to one of three objects, of which the first path can reach two: the third is too small.
#include <klee/klee.h>

static char big[4] = {1, 2, 3, 4}, large[4] = {5, 6, 7, 8}, small[2] = {9, 10};
static char *const table[3] = {big, large, small};

int main(void) {
  int i = klee_range(0, 3, "i"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(i < 2);
  if (klee_int("b") > 0)
    n = 1;
  char *p = table[i];
  return n + p[2]; //~ ptr: out of bounds
}
