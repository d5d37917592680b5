// Tests unsigned add/sub/mul overflow builtins at 32 and 64 bits.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  unsigned r;
  uint64_t d;
  unsigned max = ~0u;
  uint64_t big = 1ull << 63;
  assert(__builtin_add_overflow(max, 2u, &r) && r == 1);
  assert(__builtin_sub_overflow(2u, 3u, &r) && r == max);
  assert(__builtin_mul_overflow(big, 2ull, &d) && d == 0);
  assert(!__builtin_mul_overflow(big, 1ull, &d) && d == big);
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (__builtin_mul_overflow(x, 16u, &r))
    assert(x >> 28 != 0);
  else
    assert(r >> 4 == x);
  return 0;
}
