// Tests 64-bit division overflow by a constant -1.
// paths: 1
#include <klee/klee.h>

int main(void) {
  long a;
  klee_make_symbolic(&a, sizeof a, "a");
  long minus = -1;
  long q = a / minus; //~ overflow: division overflow
  klee_assert(q + a == 0);
  return 0;
}
