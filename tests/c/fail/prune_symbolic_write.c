// Tests a write at a symbolic offset, then a read at a fixed one: the value written is bad on the last path only.
#include <klee/klee.h>

int main(void) {
  unsigned char a[4] = {1, 1, 1, 1};
  int i = klee_range(0, 4, "i"), n = 0;
  unsigned char v = 0;
  if (klee_int("a") > 0)
    v = 2;
  a[i] = v;
  if (klee_int("b") > 0)
    n = 1;
  return n + 8 / a[2]; //~ div: division by zero
}
