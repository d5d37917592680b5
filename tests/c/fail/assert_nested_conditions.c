// Tests an assertion guarded by several conditions on different inputs.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int a = klee_int("a"), b = klee_int("b"), c = klee_int("c");
  int x = 0, y = 0, z = 0;
  if (a)
    x = -2;
  if (b < 5) {
    if (!a && c)
      y = 1;
    z = 2;
  }
  assert(x + y + z != 3); //~ assert: assertion failed
  return 0;
}
