// Tests shl, lshr and ashr with a symbolic amount below the width.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 32);
  unsigned one = 1u, top = 0x80000000u;
  int neg = -1;
  assert((one << n) != 0);
  assert((top >> n) != 0);
  assert(neg >> n == -1);
  assert(((top >> n) << n) == top);
  int min = (int)top;
  assert((unsigned)(min >> n) >= top);
  return 0;
}
