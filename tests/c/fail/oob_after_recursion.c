// Tests an error deep inside recursive calls: the call stack has several frames.
// paths: 4
#include <klee/klee.h>

static int fill(int *a, int n, int depth) {
  if (depth == n)
    return 0;
  a[depth] = depth; //~ ptr: out of bounds
  return 1 + fill(a, n, depth + 1);
}

int main(void) {
  int a[3];
  int n = klee_range(0, 5, "n");
  klee_assert(fill(a, n, 0) == n);
  return 0;
}
