// Tests conversion of floating point to integers: truncation toward zero, all widths.
// paths: 1
#include <assert.h>
#include <stdint.h>

int main(void) {
  double a = 3.99, b = -3.99, c = 4294967295.0, d = 9007199254740993.0;
  float f = 255.7f;
  assert((int)a == 3);
  assert((int)b == -3);
  assert((int8_t)b == -3);
  assert((uint32_t)c == 4294967295u);
  assert((int64_t)d == 9007199254740992);
  assert((uint8_t)f == 255);
  assert((uint64_t)1.8e19 == 18000000000000000000ull);
  assert((_Bool)0.5 == 1);
  return 0;
}
