// Tests memmove with overlapping regions in both directions, with symbolic contents.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char in[6], b[8] = {0};
  klee_make_symbolic(in, sizeof in, "in");
  memcpy(b, in, 6);
  memmove(b + 2, b, 6);
  for (int i = 0; i < 6; i++)
    assert(b[i + 2] == in[i]);
  assert(b[0] == in[0]);
  memmove(b, b + 2, 6);
  for (int i = 0; i < 6; i++)
    assert(b[i] == in[i]);
  assert(b[7] == in[5]);
  return 0;
}
