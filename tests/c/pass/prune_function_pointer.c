// Tests an indirect call whose target one branch chooses, with nothing to find.
// paths: 4
#include <klee/klee.h>

static int same(int x) { return x; }
static int more(int x) { return 4 / (x + 1); }

int main(void) {
  int (*f)(int) = more;
  int n = 0;
  if (klee_int("a") > 0)
    f = same;
  if (klee_int("b") > 0)
    n = 1;
  return f(n);
}
