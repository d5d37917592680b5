// Tests count of trailing and leading zeros on non-zero values.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned k = 0x00f0;
  unsigned long d = 1ul << 40;
  assert(__builtin_ctz(k) == 4);
  assert(__builtin_clz(k) == 24);
  assert(__builtin_ctzl(d) == 40);
  assert(__builtin_clzl(d) == 23);
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x != 0);
  int t = __builtin_ctz(x), l = __builtin_clz(x);
  assert(((x >> t) & 1) == 1);
  assert(((x << l) >> 31) == 1);
  assert(t + l < 32);
  return 0;
}
