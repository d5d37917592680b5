// Tests memcpy from a freed block.
// paths: 0
#include <stdlib.h>
#include <string.h>

int main(void) {
  char out[4], *p = calloc(1, 4);
  size_t n = 4;
  free(p);
  memcpy(out, p, n); //~ ptr: use after free
  return out[0];
}
