// Tests data-dependent loops: the paths of a bounded Collatz walk from a symbolic start.
// paths: 7
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int n = klee_range(1, 8, "n");
  int steps = 0;
  while (n != 1) {
    if (n & 1)
      n = 3 * n + 1;
    else
      n = n / 2;
    steps++;
    assert(steps <= 16);
  }
  return 0;
}
