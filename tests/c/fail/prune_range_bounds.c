// Tests klee_range with an end that two paths have set, used as an index.
#include <klee/klee.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  int end = 5, n = 0;
  if (klee_int("a") > 0)
    end = 4;
  if (klee_int("b") > 0)
    n = 1;
  return n + a[klee_range(0, end, "i")]; //~ ptr: out of bounds
}
