// Tests memcpy to and from a symbolic offset within a buffer.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char buf[12] = "............";
  int k = klee_range(0, 9, "k");
  memcpy(buf + k, "abc", 3);
  assert(buf[k] == 'a');
  assert(buf[k + 2] == 'c');
  char out[3];
  memcpy(out, buf + k, 3);
  assert(out[1] == 'b');
  int dots = 0;
  for (int i = 0; i < 12; i++)
    dots += buf[i] == '.';
  assert(dots == 9);
  return 0;
}
