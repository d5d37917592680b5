// Tests memset with a symbolic size inside a fixed buffer.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char b[6] = {0};
  int n = klee_range(0, 7, "n");
  memset(b, 7, (size_t)n);
  int sum = 0;
  for (int i = 0; i < 6; i++)
    sum += b[i];
  assert(sum == 7 * n);
  return 0;
}
