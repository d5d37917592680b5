// Tests values that two paths give different high bits only.
#include <klee/klee.h>

int main(void) {
  unsigned long long v = 1ull << 40 | 3;
  int n = 0;
  if (klee_int("a") > 0)
    v = 3;
  if (klee_int("b") > 0)
    n = 1;
  klee_assert((int)v == 3);
  klee_assert(v >> 32 == 0); //~ assert: assertion failed
  return n;
}
