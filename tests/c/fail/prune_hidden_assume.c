// Tests an assumption that can never hold on the first path and holds on the last, where a second error follows.
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 10, "x"), n = 0;
  if (x < 4)
    n = 1;
  if (klee_int("b") > 0)
    n += 2;
  klee_assume(x > 6); //~ user: invalid klee_assume
  klee_assert(x != 8); //~ assert: assertion failed
  return n;
}
