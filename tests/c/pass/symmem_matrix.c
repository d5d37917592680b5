// Tests a two-dimensional array with both indices symbolic.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char m[3][5];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 5; c++)
      m[r][c] = (unsigned char)(r * 10 + c);
  int r = klee_range(0, 3, "r"), c = klee_range(0, 5, "c");
  assert(m[r][c] == r * 10 + c);
  m[r][c] = 99;
  assert(m[r][c] == 99);
  return 0;
}
