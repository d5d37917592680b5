// Tests 128-bit add, sub, mul, shifts and comparisons with concrete values.
// paths: 1
#include <assert.h>
#include <stdint.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

int main(void) {
  uint64_t m = ~0ull;
  u128 a = (u128)m * m;
  assert((uint64_t)a == 1);
  assert((uint64_t)(a >> 64) == 0xfffffffffffffffeull);
  u128 b = (u128)1 << 100;
  assert((uint64_t)(b >> 90) == 1024);
  assert(a + b < a); /* wraps */
  assert((u128)0 - 1 > a);
  i128 s = -(i128)b;
  assert(s < 0);
  assert(s >> 100 == -1);
  assert((s ^ (i128)b) < 0);
  assert(s + (i128)b == 0);
  return 0;
}
