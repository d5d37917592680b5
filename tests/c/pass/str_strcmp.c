// Tests strcmp and strncmp of a symbolic string with a constant.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  s[3] = 0;
  int c = strcmp(s, "ok");
  if (c == 0) {
    assert(s[0] == 'o');
    assert(s[1] == 'k');
    assert(s[2] == 0);
  } else {
    assert(s[0] != 'o' || s[1] != 'k' || s[2] != 0);
  }
  assert(strncmp("abcX", "abcY", 3) == 0);
  assert(strcmp("abc", "abd") < 0);
  assert(strcmp("b", "abc") > 0);
  return 0;
}
