// Tests the classic midpoint bug: unsigned lo + hi wraps around.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned lo, hi;
  klee_make_symbolic(&lo, sizeof lo, "lo");
  klee_make_symbolic(&hi, sizeof hi, "hi");
  klee_assume(lo <= hi);
  unsigned mid = (lo + hi) / 2;
  assert(mid >= lo); //~ assert: assertion failed
  return 0;
}
