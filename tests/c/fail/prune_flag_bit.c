// Tests a single bit of a bit field that only one path leaves unset.
#include <klee/klee.h>

struct flags {
  unsigned low : 3, mid : 1, high : 4;
};

int main(void) {
  struct flags f = {5, 0, 9};
  int n = 0;
  if (klee_int("a") > 0)
    f.mid = 1;
  if (klee_int("b") > 0)
    f.low = 2;
  if (klee_int("c") > 0)
    n = 1;
  klee_assert(f.mid || f.low == 2); //~ assert: assertion failed
  return n;
}
