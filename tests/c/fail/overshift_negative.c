// Tests an arithmetic shift by a negative amount.
// paths: 1
#include <klee/klee.h>

int main(void) {
  int n = klee_range(-1, 4, "n");
  int v = 1000;
  int r = v >> n; //~ overshift: overshift
  klee_assert(r >= 125);
  return 0;
}
