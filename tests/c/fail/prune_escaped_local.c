// Tests the address of a callee's array that one branch leaves in a global.
#include <klee/klee.h>

static int safe[2] = {1, 2};
static int *kept = safe;

static int work(int keep) {
  int local[2] = {3, 4};
  if (!keep)
    kept = local;
  return local[1];
}

int main(void) {
  int n = 0;
  if (klee_int("a") > 0)
    n = work(1);
  else
    n = work(0);
  if (klee_int("b") > 0)
    n++;
  return n + kept[0]; //~ ptr: use after return
}
