// Tests integer truncation to narrower types, concrete and symbolic.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint64_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  uint32_t w = (uint32_t)x;
  uint16_t h = (uint16_t)x;
  uint8_t b = (uint8_t)x;
  assert((uint16_t)w == h);
  assert((uint8_t)h == b);
  assert((x & 0xff) == b);
  int8_t s = (int8_t)x;
  if (s < 0)
    assert(b >= 128);
  else
    assert(b < 128);
  return 0;
}
