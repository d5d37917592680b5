// Tests the sizes of the ILP32 data model under -m32.
// options: --cc-arg=-m32 --cc-arg=-ffreestanding
// paths: 1
// symbolic-only
#include <klee/klee.h>

int main(void) {
  klee_assert(sizeof(long) == 4);
  klee_assert(sizeof(void *) == 4);
  klee_assert(sizeof(size_t) == 4);
  klee_assert(sizeof(long long) == 8);
  klee_assert(sizeof(long double) == 12);
  long l = 0x7fffffff;
  unsigned long u = (unsigned long)l + 1;
  klee_assert((long)u < 0);
  klee_assert(u * 2 == 0);
  return 0;
}
