// Tests an indirect call whose target one branch chooses, after another fork.
#include <klee/klee.h>

static int good(int x) { return x; }
static int bad(int x) { return 4 / x; } //~ div: division by zero

int main(void) {
  int (*f)(int) = bad;
  int n = 0;
  if (klee_int("a") > 0)
    f = good;
  if (klee_int("b") > 0)
    n = 1;
  return f(n);
}
