// Tests a 4-byte read of which only the last two bytes lie outside the object.
// paths: 0
#include <stdlib.h>

typedef int __attribute__((aligned(1))) unaligned_int;

int main(void) {
  char *p = calloc(1, 8);
  int v = *(unaligned_int *)(p + 6); //~ ptr: out of bounds
  free(p);
  return v;
}
