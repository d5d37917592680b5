// Tests bit reversal at 8, 16, 32 and 64 bits.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint8_t b;
  klee_make_symbolic(&b, sizeof b, "b");
  uint16_t h = 0x8001;
  uint32_t w = 0x0000000d;
  uint64_t d = 2;
  assert(__builtin_bitreverse16(h) == 0x8001);
  assert(__builtin_bitreverse32(w) == 0xb0000000u);
  assert(__builtin_bitreverse64(d) == 0x4000000000000000ull);
  uint8_t r = __builtin_bitreverse8(b);
  assert(__builtin_bitreverse8(r) == b);
  assert((r & 1) == b >> 7);
  return 0;
}
