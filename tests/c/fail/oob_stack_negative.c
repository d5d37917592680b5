// Tests a write at a symbolic index that may be negative.
// paths: 1
#include <klee/klee.h>

int main(void) {
  char a[8] = {0};
  int i = klee_range(-2, 8, "i");
  a[i] = 1; //~ ptr: out of bounds
  return 0;
}
