// Tests a use after return on the first path that hides a second error: on the last path the array is a global.
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
  int n = work(klee_int("a") <= 0);
  if (klee_int("b") > 0)
    n++;
  n += kept[0]; //~ ptr: use after return
  klee_assert(klee_int("c") != 5); //~ assert: assertion failed
  return n;
}
