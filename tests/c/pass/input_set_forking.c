// Tests klee_set_forking: without forks one side of a branch is followed, which is not all that there is.
// exit: 5
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_set_forking(0);
  if (x > 10)
    return 1;
  klee_set_forking(1);
  return 0;
}
