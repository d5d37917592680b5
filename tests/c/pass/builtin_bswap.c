// Tests bswap at 16, 32 and 64 bits, concrete and symbolic.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  assert(__builtin_bswap16(0x1234) == 0x3412);
  uint32_t k = 0x11223344;
  assert(__builtin_bswap32(k) == 0x44332211);
  uint64_t d = 0x0102030405060708ull;
  assert(__builtin_bswap64(d) == 0x0807060504030201ull);
  uint32_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  assert(__builtin_bswap32(__builtin_bswap32(x)) == x);
  assert((__builtin_bswap32(x) & 0xff) == x >> 24);
  return 0;
}
