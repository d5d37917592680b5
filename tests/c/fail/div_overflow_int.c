// Tests the one overflowing signed division, INT_MIN / -1.
// paths: 1
#include <klee/klee.h>

int main(void) {
  int a = klee_int("a"), b = klee_int("b");
  klee_assume(b < 0);
  klee_assume(b > -3);
  volatile int q = a / b; //~ overflow: division overflow
  (void)q;
  return 0;
}
