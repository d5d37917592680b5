// Tests arithmetic at the odd width 7: wrap-around, sign, division, shifts.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

typedef unsigned _BitInt(7) u7;
typedef _BitInt(7) s7;

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  u7 a = (u7)x;
  s7 s = (s7)a;
  u7 k = 100, j = 50, nine = 9;
  s7 m = -64, three = 3;
  assert((u7)(k + j) == 22);
  assert((u7)(j - k) == 78);
  assert((u7)(k * j) == 8);
  assert((a / nine) * nine + a % nine == a);
  assert((s / three) * three + s % three == s);
  assert((s7)(u7)(0 - (u7)m) == -64);
  assert((m >> 2) == -16);
  assert(((u7)m >> 2) == 16);
  assert((u7)(a << 6) == ((a & 1) ? 64 : 0));
  if (s < 0)
    assert(a >= 64);
  else
    assert(a < 64);
  return 0;
}
