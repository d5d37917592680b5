// Tests a double free that happens only for one input value.
// paths: 2
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(8);
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  if (c == 'f') {
    free(p);
  } else if (c == 'z') {
    free(p);
    p = NULL;
  }
  free(p); //~ free: double free
  return 0;
}
