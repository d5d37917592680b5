// Tests a switch on characters that classifies a symbolic byte.
#include <assert.h>
#include <klee/klee.h>

static int is_vowel(char c) {
  switch (c) {
  case 'a':
  case 'e':
  case 'i':
  case 'o':
  case 'u':
    return 1;
  default:
    return 0;
  }
}

int main(void) {
  char c;
  klee_make_symbolic(&c, sizeof c, "c");
  if (is_vowel(c))
    assert(c >= 'a' && c <= 'u');
  else
    assert(c != 'e');
  return 0;
}
