// Tests a pointer overwritten by a second allocation; the second block is freed.
// options: --check-leaks
#include <stdlib.h>

static char *slot;

int main(void) {
  slot = malloc(10); //~ leak: memory leak
  slot = malloc(20);
  free(slot);
  slot = NULL;
  return 0;
}
