// Tests writing to a const global at a symbolic index.
// paths: 1
#include <klee/klee.h>

static const int limits[4] = {1, 2, 3, 4};
static int scratch[4];

int main(void) {
  int i = klee_range(0, 4, "i");
  int *p = scratch;
  if (klee_int("c") > 50)
    p = (int *)limits;
  p[i] = 0; //~ read_only: write to read-only memory
  return 0;
}
