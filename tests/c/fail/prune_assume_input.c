// Tests an assumption on an input that the last path has restricted, so that it can never hold there.
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 10, "x"), n = 0;
  if (x > 4)
    n = 1;
  if (klee_int("b") > 0)
    n += 2;
  klee_assume(x > 6); //~ user: invalid klee_assume
  return n;
}
