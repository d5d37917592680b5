// Tests an index valid for one of two objects chosen by a branch but not for the other.
// paths: 1
#include <klee/klee.h>

static int small[2] = {1, 2}, large[6] = {1, 2, 3, 4, 5, 6};

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  int *p = large;
  if (c == 7)
    p = small;
  int v = p[2]; //~ ptr: out of bounds
  klee_assert(v == 3);
  return 0;
}
