// Tests memcpy reading past the source, when the symbolic length is too large.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char src[4] = {1, 2, 3, 4}, dst[16];
  int n = klee_range(1, 7, "n");
  memcpy(dst, src, (size_t)n); //~ ptr: out of bounds
  return 0;
}
