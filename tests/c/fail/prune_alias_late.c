// Tests a write through a pointer whose target is looked at only after another fork.
#include <klee/klee.h>

static int cells[2] = {5, 5};
static int *where = &cells[0];

int main(void) {
  int n = 0;
  if (klee_int("a") > 0)
    where = &cells[1];
  if (klee_int("b") > 0)
    n = 1;
  *where -= 5;
  if (klee_int("c") > 0)
    n += 2;
  return n + 10 / cells[0]; //~ div: division by zero
}
