// Tests a write past a global array that must not reach its neighbour.
// paths: 1
#include <klee/klee.h>

static int before = 1;
static int table[4];
static int after = 2;

int main(void) {
  int i = klee_range(0, 5, "i");
  table[i] = 9; //~ ptr: out of bounds
  klee_assert(before == 1);
  klee_assert(after == 2);
  return 0;
}
