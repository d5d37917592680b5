// Tests a 128-bit symbolic product built from two 64-bit halves.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint64_t lo;
  klee_make_symbolic(&lo, sizeof lo, "lo");
  unsigned __int128 w = (unsigned __int128)lo << 4;
  if ((uint64_t)(w >> 64) == 0)
    assert(lo <= 0x0fffffffffffffffull);
  else
    assert(lo > 0x0fffffffffffffffull);
  return 0;
}
