// Tests that calloc returns zeroed memory of the product size.
// paths: 1
#include <assert.h>
#include <stdlib.h>

int main(void) {
  long *p = calloc(7, sizeof *p);
  for (int i = 0; i < 7; i++)
    assert(p[i] == 0);
  p[6] = 1;
  free(p);
  char *q = calloc(3, 3);
  assert(q[8] == 0);
  free(q);
  return 0;
}
