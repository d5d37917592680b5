// Tests memset with a run-time size and with a symbolic fill byte.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char b[16];
  unsigned char fill;
  klee_make_symbolic(&fill, sizeof fill, "fill");
  memset(b, 0, sizeof b);
  for (unsigned n = 1; n < 8; n += 3)
    memset(b + n, fill, n);
  assert(b[0] == 0);
  assert(b[1] == fill);
  assert(b[3] == 0);
  assert(b[13] == fill);
  assert(b[14] == 0);
  unsigned word;
  memset(&word, fill, sizeof word);
  assert(word == fill * 0x01010101u);
  return 0;
}
