// Tests 64-bit arithmetic, logic and shifts with concrete values.
// paths: 1
#include <assert.h>
#include <stdint.h>

int main(void) {
  uint64_t a = 0x0123456789abcdefull, b = 0xfedcba9876543210ull;
  assert(a + b == 0xffffffffffffffffull);
  assert(b - a == 0xfdb97530eca86421ull);
  assert(a * b == 0x2236d88fe5618cf0ull);
  assert(b / a == 0xe0);
  assert(b % a == 0xf0);
  assert((a & b) == 0);
  assert((a ^ b) == ~0ull);
  assert(a << 36 == 0x9abcdef000000000ull);
  assert(b >> 60 == 0xf);
  int64_t s = (int64_t)b;
  assert(s >> 60 == -1);
  assert(s / 16 == -0x123456789abcdfLL);
  assert(s % 16 == 0);
  return 0;
}
