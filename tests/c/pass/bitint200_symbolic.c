// Tests a symbolic value moved through a 200-bit integer by shifts and masks.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint32_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned _BitInt(200) w = (unsigned _BitInt(200))x << 150;
  w |= (unsigned _BitInt(200))x << 10;
  assert((uint32_t)(w >> 150) == x);
  assert((uint32_t)(w >> 10) == x);
  if (w > ((unsigned _BitInt(200))5 << 151))
    assert(x >= 10);
  else
    assert(x < 10);
  return 0;
}
