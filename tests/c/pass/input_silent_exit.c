// Tests klee_silent_exit: the path ends without being an error.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x < 0)
    klee_silent_exit(0);
  assert(x >= 0);
  return 0;
}
