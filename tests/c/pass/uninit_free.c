// Tests that fully written memory gives no report when uninitialised reads are checked.
// options: --check-uninit
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

static void fill(int *out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = i;
}

int main(void) {
  int a[4];
  fill(a, 4);
  char *z = calloc(1, 8), *m = malloc(8);
  memset(m, 1, 8);
  int x = klee_int("x");
  if (x > a[3])
    assert(z[7] + m[7] == 1);
  free(z);
  free(m);
  return 0;
}
