// Tests exit called from a nested function: nothing after it runs.
// paths: 2
#include <klee/klee.h>
#include <stdlib.h>

static void check(int x) {
  if (x == 3)
    exit(0);
}

int main(void) {
  int x = klee_int("x");
  check(x);
  klee_assert(x != 3);
  return 0;
}
