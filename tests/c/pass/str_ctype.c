// Tests character classification of a symbolic byte.
#include <assert.h>
#include <ctype.h>
#include <klee/klee.h>

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  if (isdigit(c)) {
    assert(c >= '0');
    assert(c <= '9');
  } else if (isupper(c)) {
    assert(tolower(c) == c + 32);
  } else {
    assert(c < 'A' || c > 'Z');
  }
  assert(isspace(' ') && isspace('\n') && !isspace('x'));
  assert(isxdigit('f') && !isxdigit('g'));
  assert(toupper('q') == 'Q' && toupper('1') == '1');
  return 0;
}
