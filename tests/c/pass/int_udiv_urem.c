// Tests unsigned division and remainder: q * b + r == a and r < b for all 8-bit a and b != 0.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(b != 0);
  unsigned ua = a, ub = b;
  unsigned q = ua / ub, r = ua % ub;
  assert(q * ub + r == ua);
  assert(r < ub);
  return 0;
}
