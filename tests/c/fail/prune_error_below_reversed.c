// Tests a subtree with an error that is found first, from whose other states one more error can be reached.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), d = 1, n = 0;
  if (klee_int("a") > 0)
    d = 0;
  if (klee_int("b") > 0)
    n = 1;
  if (x > 3) {
    n = 8 / d; //~ div: division by zero
    klee_assert(x != 9); //~ assert: assertion failed
  }
  return n;
}
