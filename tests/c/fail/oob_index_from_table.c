// Tests an out-of-bounds index that was itself read from memory at a symbolic index.
// paths: 1
#include <klee/klee.h>

static const unsigned char map[4] = {0, 3, 1, 9};

int main(void) {
  char a[8] = {0};
  int i = klee_range(0, 4, "i");
  a[map[i]] = 1; //~ ptr: out of bounds
  klee_assert(i != 3);
  return 0;
}
