// Tests a decision on the addresses of locals, one of them kept in a global.
#include <klee/klee.h>

static int *kept;

static int check(int *mine) {
  if (klee_int("n") > 0)
    *mine += 1;
  klee_assert(mine != kept); //~ assert: assertion failed
  return *mine;
}

int main(void) {
  int x = 1, y = 2;
  kept = &x;
  if (klee_int("a") > 0)
    kept = &y;
  return check(&x);
}
