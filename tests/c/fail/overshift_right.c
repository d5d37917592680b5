// Tests a logical right shift of a 64-bit value by 64 on one path.
// paths: 2
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned long v = ~0ul;
  int n = 1;
  if (x > 250)
    n = 64;
  else if (x > 100)
    n = 63;
  v >>= n; //~ overshift: overshift
  klee_assert(v > 0);
  return 0;
}
