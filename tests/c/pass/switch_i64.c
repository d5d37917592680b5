// Tests a switch on a 64-bit value with cases that differ only in the high half.
// paths: 4
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint64_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  uint32_t hi = 0;
  switch (x) {
  case 0x100000005ull: hi = 1; break;
  case 0x200000005ull: hi = 2; break;
  case 0x8000000000000005ull: hi = 0x80000000u; break;
  default: break;
  }
  if (hi) {
    assert((uint32_t)x == 5);
    assert((uint32_t)(x >> 32) == hi);
  }
  return 0;
}
