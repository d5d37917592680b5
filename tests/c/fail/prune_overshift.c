// Tests a shift by what two branches have added up, too much on both false sides only.
#include <klee/klee.h>

int main(void) {
  unsigned by = 32, n = 0;
  if (klee_int("a") > 0)
    by -= 1;
  if (klee_int("b") > 0)
    by -= 2;
  if (klee_int("c") > 0)
    n = 1;
  return (int)(n + (1u << by)); //~ overshift: shift by 32
}
