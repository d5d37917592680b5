// Tests an index that is bad on one path only, while the pointer it is added to is the same on all.
#include <klee/klee.h>

static int table[4] = {1, 2, 3, 4};

int main(void) {
  int i = 4, n = 0;
  if (klee_int("a") > 0)
    i = 1;
  if (klee_int("b") > 0)
    n = 1;
  return table[i] + n; //~ ptr: out of bounds
}
