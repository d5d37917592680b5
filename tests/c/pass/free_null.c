// Tests that free(NULL) does nothing and that memory can be reused after free.
// paths: 1
#include <assert.h>
#include <stdlib.h>

int main(void) {
  free(NULL);
  for (int i = 0; i < 50; i++) {
    int *p = malloc(400);
    p[99] = i;
    assert(p[99] == i);
    free(p);
  }
  return 0;
}
