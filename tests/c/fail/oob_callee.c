// Tests that the error is reported at the access in the callee, not at the call.
// paths: 1
#include <klee/klee.h>

static int sum(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i]; //~ ptr: out of bounds
  return s;
}

int main(void) {
  int a[3] = {1, 2, 3};
  int n = 3;
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  if (c & 0x80)
    n = 4;
  klee_assert(sum(a, n) == 6);
  return 0;
}
