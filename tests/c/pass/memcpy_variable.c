// Tests memcpy with a size known only at run time, over heap and stack.
// paths: 1
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (size_t n = 0; n <= 8; n++) {
    int *h = calloc(8, sizeof *h);
    memcpy(h, a, n * sizeof *h);
    for (size_t i = 0; i < 8; i++)
      assert(h[i] == (i < n ? (int)i : 0));
    free(h);
  }
  return 0;
}
