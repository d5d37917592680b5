// Tests strlen of a symbolic buffer: every length up to the terminator is possible.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[5];
  klee_make_symbolic(s, sizeof s, "s");
  s[4] = 0;
  size_t n = strlen(s);
  assert(n <= 4);
  assert(s[n] == 0);
  if (n > 0)
    assert(s[0] != 0);
  return 0;
}
