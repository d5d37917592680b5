// A matcher of letters, each of them with `?` (at most once) or `*` (any number of times) behind it if so wished, on a pattern that
// nobody terminated: as in KLEE's tutorial on a matcher, it is read past its end in two places.
// options: --only-output-states-covering-new
#include <klee/klee.h>

static int matches(const char *pattern, const char *text) {
  char letter = pattern[0]; //~ memory error: out of bound pointer
  if (letter == '\0')
    return *text == '\0';
  switch (pattern[1]) { //~ memory error: out of bound pointer
  case '?':
    return (*text == letter && matches(pattern + 2, text + 1)) || matches(pattern + 2, text);
  case '*':
    for (; *text == letter; text++)
      if (matches(pattern + 2, text))
        return 1;
    return matches(pattern + 2, text);
  default:
    return *text == letter && matches(pattern + 1, text + 1);
  }
}

int main(void) {
  char pattern[4];
  klee_make_symbolic(pattern, sizeof pattern, "pattern");
  return matches(pattern, "ell");
}
