// Tests the library qsort and bsearch with comparison callbacks on concrete data.
// paths: 1
#include <assert.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  int v[] = {5, -1, 9, 0, 3, 3, 8};
  qsort(v, 7, sizeof *v, by_value);
  for (int i = 1; i < 7; i++)
    assert(v[i - 1] <= v[i]);
  assert(v[0] == -1 && v[6] == 9);
  int key = 8;
  int *hit = bsearch(&key, v, 7, sizeof *v, by_value);
  assert(hit && *hit == 8);
  return 0;
}
