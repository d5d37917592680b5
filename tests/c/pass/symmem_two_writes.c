// Tests that of two symbolic writes the later one wins where they collide.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int a[4] = {0, 0, 0, 0};
  int i = klee_range(0, 4, "i"), j = klee_range(0, 4, "j");
  a[i] = 1;
  a[j] = 2;
  assert(a[j] == 2);
  if (a[i] == 2)
    assert(i == j);
  else
    assert(i != j);
  return 0;
}
