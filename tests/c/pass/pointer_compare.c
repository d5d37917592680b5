// Tests pointer equality and order within one object, and inequality of distinct objects.
// paths: 1
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int a[4], other;
  int *lo = &a[0], *hi = &a[3], *end = a + 4;
  assert(lo < hi);
  assert(hi < end);
  assert(hi - 3 == lo);
  assert(lo != &other);
  int *h1 = malloc(4), *h2 = malloc(4);
  assert(h1 != h2);
  assert(h1 != NULL);
  assert((void *)h1 != (void *)a);
  free(h1);
  free(h2);
  return 0;
}
