// Tests a static local that calls on different branches have counted up, with nothing to find.
// paths: 8
#include <klee/klee.h>

static int tick(void) {
  static int count;
  return ++count;
}

int main(void) {
  int n = 0;
  tick();
  if (klee_int("a") > 0)
    tick();
  if (klee_int("b") > 0)
    tick();
  if (klee_int("c") > 0)
    n = 1;
  klee_assert(tick() <= 4);
  return n;
}
