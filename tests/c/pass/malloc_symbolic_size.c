// Tests malloc with a symbolic size: any index below the size is valid.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int n = klee_range(1, 9, "n");
  unsigned char *p = malloc((size_t)n);
  p[0] = 1;
  p[n - 1] = 2;
  assert(p[n - 1] == 2);
  if (n > 1)
    assert(p[0] == 1);
  free(p);
  return 0;
}
