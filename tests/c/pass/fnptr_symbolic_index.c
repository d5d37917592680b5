// Tests an indirect call through a table at a symbolic index: one path per callee.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

static int f0(int x) { return x; }
static int f1(int x) { return x + 1; }
static int f2(int x) { return x * 2; }
static int f3(int x) { return -x; }

int main(void) {
  int (*const table[4])(int) = {f0, f1, f2, f3};
  int i = klee_range(0, 4, "i");
  int r = table[i](10);
  static const int want[] = {10, 11, 20, -10};
  assert(r == want[i]);
  return 0;
}
