// Tests a matrix row index one too large.
// paths: 1
#include <klee/klee.h>

int main(void) {
  int m[3][3] = {{0}};
  int r = klee_range(0, 4, "r");
  m[r][1] = 5; //~ ptr: out of bounds
  return 0;
}
