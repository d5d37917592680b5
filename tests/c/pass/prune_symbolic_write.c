// Tests a write at a symbolic offset, then reads, with nothing to find.
// paths: 4
#include <klee/klee.h>

int main(void) {
  unsigned char a[4] = {1, 1, 1, 1};
  int i = klee_range(0, 4, "i"), n = 0;
  unsigned char v = 3;
  if (klee_int("a") > 0)
    v = 2;
  a[i] = v;
  if (klee_int("b") > 0)
    n = 1;
  return n + 8 / a[2];
}
