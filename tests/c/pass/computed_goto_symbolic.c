// Tests computed goto through a table at a symbolic index: one path per label.
// paths: 3
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  static const void *const labels[] = {&&first, &&second, &&third};
  int i = klee_range(0, 3, "i");
  int r;
  goto *labels[i];
first:
  r = 0;
  goto out;
second:
  r = 1;
  goto out;
third:
  r = 2;
out:
  assert(r == i);
  return 0;
}
