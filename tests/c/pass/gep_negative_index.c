// Tests negative indices from a pointer into the middle of an array.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int a[5] = {1, 2, 3, 4, 5};
  int *mid = &a[2];
  assert(mid[-2] == 1);
  assert(*(mid - 1) == 2);
  int i = klee_range(-2, 3, "i");
  assert(mid[i] == i + 3);
  return 0;
}
