// Tests that infeasible combinations of branches are pruned.
// paths: 4
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int n = 0;
  if (x > 50)
    n++;
  if (x > 100)
    n++;
  if (x > 150)
    n++;
  klee_assert(n == (x > 50) + (x > 100) + (x > 150));
  return 0;
}
