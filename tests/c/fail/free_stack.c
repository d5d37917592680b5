// Tests freeing a stack object.
// paths: 0
#include <stdlib.h>

static void release(void *p) {
  free(p); //~ free: invalid free
}

int main(void) {
  int local = 1;
  release(&local);
  return 0;
}
