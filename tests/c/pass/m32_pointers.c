// Tests pointer arithmetic, pointer arrays and symbolic indices with 32-bit pointers.
// options: --cc-arg=-m32 --cc-arg=-ffreestanding
// paths: 1
// symbolic-only
#include <klee/klee.h>

static int x[4] = {1, 2, 3, 4};
static int *table[2] = {&x[1], &x[3]};

int main(void) {
  klee_assert(*table[0] + *table[1] == 6);
  klee_assert(table[1] - table[0] == 2);
  klee_assert((uintptr_t)table[1] - (uintptr_t)x == 12);
  int i = klee_range(0, 4, "i");
  klee_assert(x[i] == i + 1);
  return 0;
}
