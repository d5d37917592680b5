// Tests an assumption below the join whose condition two paths have chosen.
#include <klee/klee.h>

extern void __VERIFIER_assume(int condition);

int main(void) {
  int x = klee_int("x"), low = -3, n = 0;
  if (klee_int("a") > 0)
    low = 0;
  if (klee_int("b") > 0)
    n = 1;
  __VERIFIER_assume(x > low);
  if (klee_int("c") > 0)
    n += 2;
  klee_assert(x > 0); //~ assert: assertion failed
  return n;
}
