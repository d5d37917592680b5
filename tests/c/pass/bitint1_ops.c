// Tests arithmetic at width 1 using unsigned _BitInt(1).
// paths: 1
#include <assert.h>
#include <klee/klee.h>

typedef unsigned _BitInt(1) u1;

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  u1 a = (u1)x, b = (u1)(x >> 1);
  u1 sum = a + b, diff = a - b, prod = a * b, one = 1;
  assert(sum == (a ^ b));
  assert(diff == sum);
  assert(prod == (a & b));
  assert((u1)(a + one) == (u1)~a);
  assert((u1)(a / one) == a);
  assert((u1)(a % one) == 0);
  assert((u1)(a - a) == 0);
  return 0;
}
