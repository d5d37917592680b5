// Tests rotations (funnel shifts), including amounts of zero and beyond the width.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint32_t k = 0x80000001u;
  assert(__builtin_rotateleft32(k, 1) == 3);
  assert(__builtin_rotateright32(k, 1) == 0xc0000000u);
  assert(__builtin_rotateleft8((uint8_t)0x96, 4) == 0x69);
  assert(__builtin_rotateleft64(1ull, 63) == 1ull << 63);
  uint32_t n;
  klee_make_symbolic(&n, sizeof n, "n");
  assert(__builtin_rotateright32(__builtin_rotateleft32(k, n), n) == k);
  assert(__builtin_rotateleft32(k, n & 31) == __builtin_rotateleft32(k, n));
  return 0;
}
