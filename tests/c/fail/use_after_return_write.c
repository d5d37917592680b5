// Tests a write to a dead stack frame through a global pointer, on one path.
// paths: 1
#include <klee/klee.h>

static int *kept;
static void keep(int publish) {
  int local = 1;
  int *p = &local;
  if (publish > 0)
    kept = p;
}

int main(void) {
  int fallback = 0;
  kept = &fallback;
  keep(klee_int("publish"));
  *kept = 9; //~ ptr: use after return
  klee_assert(fallback == 9);
  return 0;
}
