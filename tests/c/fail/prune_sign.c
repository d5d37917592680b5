// Tests a byte that is the same number without sign and another with it, as an index.
#include <klee/klee.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  unsigned char byte = 0xff;
  int n = 0;
  if (klee_int("a") > 0)
    byte = 0x01;
  if (klee_int("b") > 0)
    n = 1;
  int i = (signed char)byte;
  return n + a[i]; //~ ptr: out of bounds
}
