// Tests klee_range: the lower bound is included, the upper is not.
// paths: 5
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(-2, 3, "x");
  assert(x >= -2);
  assert(x < 3);
  int n = -2;
  while (n < x)
    n++;
  assert(n == x);
  int one = klee_range(7, 8, "one");
  assert(one == 7);
  return 0;
}
