// Tests little-endian byte order by reading an integer through a union.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

union word {
  uint32_t w;
  uint16_t h[2];
  uint8_t b[4];
};

int main(void) {
  union word u;
  u.w = 0x11223344;
  assert(u.b[0] == 0x44);
  assert(u.h[1] == 0x1122);
  uint8_t byte;
  klee_make_symbolic(&byte, sizeof byte, "byte");
  u.b[1] = byte;
  assert((u.w & 0xffff00ff) == 0x11220044);
  assert(((u.w >> 8) & 0xff) == byte);
  return 0;
}
