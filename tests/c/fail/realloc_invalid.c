// Tests realloc of a pointer that was not allocated.
// paths: 0
#include <stdlib.h>

static void *grow(void *p) {
  return realloc(p, 100); //~ free: invalid free
}

int main(void) {
  char local[4];
  local[0] = 0;
  return grow(local) == NULL;
}
