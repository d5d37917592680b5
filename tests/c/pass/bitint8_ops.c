// Tests true 8-bit operations (no promotion to int) using _BitInt(8).
// paths: 1
#include <assert.h>
#include <klee/klee.h>

typedef unsigned _BitInt(8) u8;
typedef _BitInt(8) s8;

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  u8 a = x, k = 200, h = 100, seven = 7;
  s8 s = (s8)a, two = 2;
  assert((u8)(k + h) == 44);
  assert((u8)(h - k) == 156);
  assert((u8)(k * seven) == 120);
  assert((a / seven) * seven + a % seven == a);
  assert((s / two) * two + s % two == s);
  assert((u8)(a << 1) == (u8)(a + a));
  assert((a >> 7) == (u8)(s < 0));
  assert((s >> 7) == (s8)(s < 0 ? -1 : 0));
  assert((a ^ (u8)~a) == 255);
  assert(((a | 1) & 1) == 1);
  return 0;
}
