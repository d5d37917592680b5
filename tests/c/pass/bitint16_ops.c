// Tests true 16-bit operations (no promotion to int) using _BitInt(16).
// paths: 2
#include <assert.h>
#include <klee/klee.h>

typedef unsigned _BitInt(16) u16;
typedef _BitInt(16) s16;

int main(void) {
  unsigned short x;
  klee_make_symbolic(&x, sizeof x, "x");
  u16 a = x, k = 60000, h = 10000;
  s16 m = -30000;
  assert((u16)(k + h) == 4464);
  assert((u16)(h - k) == 15536);
  assert((u16)(k * h) == 17920);
  assert(k / h == 6);
  assert(k % h == 0);
  assert(m / 7 == -4285);
  assert(m % 7 == -5);
  assert((m >> 4) == -1875);
  assert(((u16)m >> 4) == 2221);
  assert((u16)((a & 0xff00) | (a & 0x00ff)) == a);
  if ((u16)(a + h) < a)
    assert(a >= 55536);
  else
    assert(a < 55536);
  return 0;
}
