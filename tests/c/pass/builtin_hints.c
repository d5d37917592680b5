// Tests that expect, assume, constant_p and prefetch have no visible effect.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  int r = 0;
  if (__builtin_expect(x > 0, 0))
    r = 1;
  __builtin_assume(r < 2);
  __builtin_prefetch(&r);
  assert(r == (x > 0));
  assert(__builtin_constant_p(3));
  return 0;
}
