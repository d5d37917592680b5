// Tests a read past the terminator of a string literal.
// paths: 1
#include <klee/klee.h>

int main(void) {
  const char *s = "abc";
  int i = klee_range(0, 6, "i");
  char c = s[i]; //~ ptr: out of bounds
  klee_assert((i == 3) ^ (c == 'a' + i));
  return 0;
}
