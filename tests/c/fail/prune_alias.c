// Tests a write through a pointer that two branches choose: only one of its targets makes the assertion fail.
#include <klee/klee.h>

static int global = 1;

int main(void) {
  int local = 1, other = 1, n = 0;
  int *p = &global;
  if (klee_int("a") > 0)
    p = &local;
  if (klee_int("b") > 0)
    p = &other;
  if (klee_int("c") > 0)
    n = 1;
  *p = 0;
  klee_assert(global == 1); //~ assert: assertion failed
  return n + local + other;
}
