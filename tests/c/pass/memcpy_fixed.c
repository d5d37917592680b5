// Tests memcpy of a fixed size, including a zero-size copy and inner offsets.
// paths: 1
#include <assert.h>
#include <string.h>

int main(void) {
  char src[10] = "abcdefghi", dst[10];
  memset(dst, '.', sizeof dst);
  memcpy(dst + 2, src + 1, 4);
  assert(dst[1] == '.');
  assert(dst[2] == 'b');
  assert(dst[5] == 'e');
  assert(dst[6] == '.');
  memcpy(dst, src, 0);
  assert(dst[0] == '.');
  assert(memcpy(dst, src, 10) == dst);
  assert(dst[9] == 0);
  return 0;
}
