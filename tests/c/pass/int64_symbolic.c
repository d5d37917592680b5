// Tests 64-bit symbolic arithmetic: a linear equation has exactly one solution.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint64_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x * 3 + 5 == 0x100000001ull)
    assert(x == 0x55555554);
  else
    assert(x != 0x55555554);
  return 0;
}
