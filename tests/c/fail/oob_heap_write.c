// Tests a write past a heap array on one of two paths, naming the object's end.
// paths: 1
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int n = klee_int("n");
  char *p = malloc(16);
  p[0] = 0;
  if (n > 100)
    p[16] = 1; //~ ptr: out of bounds
  free(p);
  return 0;
}
