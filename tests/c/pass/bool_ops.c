// Tests i1 arithmetic: _Bool conversion, logical not, xor of truth values, comparison of bools.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdbool.h>

int main(void) {
  int x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  bool a = x, b = y;
  assert((a ^ b) == (a != b));
  assert((a & b) == !(!a | !b));
  assert(a + b <= 2);
  assert(!!x == a);
  bool c = (bool)(x & 256);
  assert(c == ((x >> 8) & 1));
  return 0;
}
