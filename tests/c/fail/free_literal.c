// Tests freeing a string literal.
// paths: 0
#include <stdlib.h>

static void release(const char *s) {
  free((void *)s); //~ free: invalid free
}

int main(void) {
  release("constant");
  return 0;
}
