// Tests swapping two array elements at symbolic indices: the multiset is unchanged.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int a[5] = {1, 20, 300, 4000, 50000};
  int i = klee_range(0, 5, "i"), j = klee_range(0, 5, "j");
  int t = a[i];
  a[i] = a[j];
  a[j] = t;
  assert(a[0] + a[1] + a[2] + a[3] + a[4] == 54321);
  return 0;
}
