// Tests 128-bit signed and unsigned division and remainder.
// paths: 1
#include <assert.h>
#include <stdint.h>

int main(void) {
  unsigned __int128 n = ((unsigned __int128)0x0123456789abcdefull << 64) | 0xfedcba9876543210ull;
  unsigned __int128 d = 1000000007u;
  unsigned __int128 q = n / d, r = n % d;
  assert(r < d);
  assert(q * d + r == n);
  assert((uint64_t)(q >> 64) == 0x4e2fff8u);
  __int128 s = -(__int128)n;
  assert(s / (__int128)d == -(__int128)q);
  assert(s % (__int128)d == -(__int128)r);
  assert(s / -1 == (__int128)n);
  return 0;
}
