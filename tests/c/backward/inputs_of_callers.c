// Inputs are made in the caller and in the function, under one name.
#include <klee/klee.h>

void hit(void) {}

static void f(int x) {
  int y = klee_range(0, 4, "x");
  if (x == 3 && y == 2)
    hit(); // reachable
  if (x == y && x == 5)
    hit(); // unreachable
}
int main(void) {
  int x = klee_range(0, 9, "x");
  klee_assume(x != 2);
  f(x);
  return 0;
}
