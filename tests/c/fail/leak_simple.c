// Tests a block that is never freed.
// options: --check-leaks
#include <stdlib.h>

static void waste(void) {
  char *p = malloc(100); //~ leak: memory leak
  p[0] = 1;
  p = NULL;
}

int main(void) {
  waste();
  return 0;
}
