// Tests exit handlers that different branches have registered.
#include <klee/klee.h>
#include <stdlib.h>

static int level = 0;
static void raise(void) { level = 1; }
static void check(void) {
  klee_assert(level == 1); //~ assert: assertion failed
}

int main(void) {
  int n = 0;
  atexit(check);
  if (klee_int("a") > 0)
    atexit(raise);
  if (klee_int("b") > 0)
    n = 1;
  return n;
}
