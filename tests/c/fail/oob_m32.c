// Tests an out-of-bounds write with 32-bit pointers.
// options: --cc-arg=-m32 --cc-arg=-ffreestanding
// paths: 1
// symbolic-only
#include <klee/klee.h>

int main(void) {
  int *slots[4] = {0};
  int i = klee_range(0, 5, "i");
  slots[i] = &i; //~ ptr: out of bounds
  klee_assert(i < 4);
  return 0;
}
