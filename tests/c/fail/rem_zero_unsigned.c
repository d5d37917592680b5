// Tests unsigned remainder by a masked value that may be zero.
// paths: 1
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned m = x & 0x30u;
  unsigned r = 100u % m; //~ div: division by zero
  klee_assert(r == 4);
  return 0;
}
