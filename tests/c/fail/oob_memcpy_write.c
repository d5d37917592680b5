// Tests memcpy writing past the destination.
// paths: 0
#include <stdlib.h>
#include <string.h>

int main(void) {
  char src[12] = "hello world";
  char *dst = malloc(8);
  memcpy(dst, src, sizeof src); //~ ptr: out of bounds
  free(dst);
  return 0;
}
