// Tests an 8-byte write at a symbolic offset whose tail may cross the end of the buffer.
// paths: 1
#include <klee/klee.h>

typedef long __attribute__((aligned(1))) unaligned_long;

int main(void) {
  char buf[16] = {0};
  int k = klee_range(0, 12, "k");
  *(unaligned_long *)(buf + k) = -1; //~ ptr: out of bounds
  klee_assert(buf[k + 7] == -1);
  return 0;
}
