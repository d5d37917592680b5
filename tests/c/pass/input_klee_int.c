// Tests klee_int: an unconstrained int.
// paths: 3
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x < 0)
    assert((unsigned)x >= 0x80000000u);
  else if (x == 0x7fffffff)
    assert(x + 0u == 0x7fffffffu);
  return 0;
}
