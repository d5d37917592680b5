// Tests division by zero at an odd integer width.
// paths: 1
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned _BitInt(7) d = (unsigned _BitInt(7))x, n = 100;
  unsigned _BitInt(7) q = n / d; //~ div: division by zero
  klee_assert(q <= 100);
  return 0;
}
