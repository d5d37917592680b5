// Tests pointer to integer and back: round trip, arithmetic on the integer, alignment of objects.
// paths: 1
#include <assert.h>
#include <stdint.h>

int main(void) {
  int a[4] = {10, 20, 30, 40};
  uintptr_t p = (uintptr_t)a;
  assert(p % _Alignof(int) == 0);
  int *q = (int *)(p + 2 * sizeof(int));
  assert(q == a + 2);
  assert(*q == 30);
  *q = 31;
  assert(a[2] == 31);
  void *v = a;
  assert((int *)v == &a[0]);
  return 0;
}
