// Tests freeing a global object.
// paths: 1
#include <klee/klee.h>
#include <stdlib.h>

static char buffer[16];

int main(void) {
  char *p = malloc(16);
  char *victim = p;
  if (klee_int("c") == 9) {
    free(p);
    victim = buffer;
  }
  free(victim); //~ free: invalid free
  return 0;
}
