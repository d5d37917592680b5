// Tests one faulty line reached from two call sites.
// paths: 2
#include <klee/klee.h>

static int pick(const int *a, int i) {
  return a[i]; //~ ptr: out of bounds
}

int main(void) {
  int small[2] = {1, 2}, large[4] = {1, 2, 3, 4};
  int i = klee_range(0, 5, "i");
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  int v;
  if (c)
    v = pick(small, i);
  else
    v = pick(large, i);
  klee_assert(v == i + 1);
  return 0;
}
