// Tests an error in one of several callees of a symbolic indirect call.
// paths: 2
#include <klee/klee.h>

static int half(int x) { return 10 / 2 + x; }
static int share(int x) {
  return 10 / x; //~ div: division by zero
}
static int twice(int x) { return 2 * x; }

int main(void) {
  int (*const ops[3])(int) = {half, share, twice};
  int i = klee_range(0, 3, "i");
  int r = ops[i](0);
  klee_assert(r == 5 * (i == 0));
  return 0;
}
