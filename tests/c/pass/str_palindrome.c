// Tests a palindrome check of three symbolic characters.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  int ok = 1;
  for (int i = 0, j = 2; i < j; i++, j--)
    if (s[i] != s[j])
      ok = 0;
  assert(ok == (s[0] == s[2]));
  return 0;
}
