// Tests a write through a symbolic pointer to one of three objects, of which the first path can reach two.
#include <klee/klee.h>

static int one = 1, two = 2, three = 3;
static int *const table[3] = {&one, &two, &three};

int main(void) {
  int i = klee_range(0, 3, "i"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(i < 2);
  if (klee_int("b") > 0)
    n = 1;
  *table[i] = 0;
  if (klee_int("c") > 0)
    n += 2;
  return n + 6 / three; //~ div: division by zero
}
