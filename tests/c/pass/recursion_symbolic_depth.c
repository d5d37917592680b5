// Tests recursion whose depth depends on a symbolic value: one path per depth.
// paths: 6
#include <assert.h>
#include <klee/klee.h>

static int depth(int n) {
  if (n == 0)
    return 0;
  return 1 + depth(n - 1);
}

int main(void) {
  int n = klee_range(0, 6, "n");
  assert(depth(n) == n);
  return 0;
}
