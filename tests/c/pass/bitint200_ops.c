// Tests arithmetic at width 200: add, sub, mul, div, rem, shifts and comparison.
// paths: 1
#include <assert.h>
#include <stdint.h>

typedef unsigned _BitInt(200) u200;
typedef _BitInt(200) s200;

int main(void) {
  u200 a = (u200)0x123456789abcdef0ull << 130 | 0xfeedfacecafebeefull;
  u200 b = (u200)1 << 199;
  assert((u200)(b + b) == 0);
  assert((uint64_t)(a >> 130) == 0x123456789abcdef0ull);
  assert((uint64_t)a == 0xfeedfacecafebeefull);
  u200 q = a / 1000003, r = a % 1000003;
  assert(r < 1000003);
  assert((u200)(q * 1000003 + r) == a);
  s200 n = -(s200)a;
  assert(n < 0);
  assert(n / 1000003 == -(s200)q);
  assert(n % 1000003 == -(s200)r);
  assert((s200)b >> 199 == -1);
  assert((a ^ ~a) + 1 == 0);
  return 0;
}
