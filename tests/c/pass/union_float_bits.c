// Tests reading the bits of float and double through unions and memcpy.
// paths: 1
#include <assert.h>
#include <stdint.h>
#include <string.h>

int main(void) {
  union {
    float f;
    uint32_t u;
  } a;
  a.f = 1.0f;
  assert(a.u == 0x3f800000);
  a.u |= 0x80000000u;
  assert(a.f == -1.0f);
  double d = 0.5;
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  assert(bits == 0x3fe0000000000000ull);
  bits += 1ull << 52;
  memcpy(&d, &bits, sizeof d);
  assert(d == 1.0);
  return 0;
}
