// Tests a symbolic index that an assumption on one path keeps in bounds.
#include <klee/klee.h>

int main(void) {
  char a[4] = {1, 2, 3, 4};
  unsigned i = (unsigned)klee_range(0, 8, "i");
  int n = 0;
  if (klee_int("a") > 0)
    klee_assume(i < 4);
  if (klee_int("b") > 0)
    n = 1;
  return n + a[i]; //~ ptr: out of bounds
}
