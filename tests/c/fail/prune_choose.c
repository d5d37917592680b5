// Tests klee_choose with a bound that two paths have set.
#include <klee/klee.h>

int main(void) {
  int n = 0;
  uintptr_t bound = 4;
  if (klee_int("a") > 0)
    bound = 3;
  if (klee_int("b") > 0)
    n = 1;
  uintptr_t c = klee_choose(bound);
  klee_assert(c < 3); //~ assert: assertion failed
  return n;
}
