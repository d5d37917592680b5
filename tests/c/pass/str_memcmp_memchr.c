// Tests memcmp and memchr, comparing as unsigned bytes.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char a[3], b[3] = {1, 0x80, 3};
  klee_make_symbolic(a, sizeof a, "a");
  if (memcmp(a, b, 3) == 0) {
    assert(a[1] == 0x80);
    assert(memchr(a, 3, 3) == a + 2);
  }
  assert(memcmp("\x7f", "\x80", 1) < 0);
  assert(memchr(b, 9, 3) == NULL);
  return 0;
}
