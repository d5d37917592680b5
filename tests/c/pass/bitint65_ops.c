// Tests arithmetic at width 65, one bit beyond a machine word.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

typedef unsigned _BitInt(65) u65;
typedef _BitInt(65) s65;

int main(void) {
  uint64_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  u65 a = x, big = (u65)1 << 64;
  assert((u65)(big + big) == 0);
  assert((uint64_t)((big - 1) >> 1) == 0x7fffffffffffffffull);
  assert((big - 1) / 3 == 0x5555555555555555ull);
  assert((big + 7) % 10 == 3);
  s65 s = (s65)big;
  assert(s < 0);
  assert((s >> 64) == -1);
  assert((big | a) - big == a);
  if (a + a >= big)
    assert(x >> 63 == 1);
  else
    assert(x >> 63 == 0);
  return 0;
}
