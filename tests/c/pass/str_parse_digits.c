// Tests a hand-written number parser on a symbolic two-digit string.
// paths: 3
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  char s[2];
  klee_make_symbolic(s, sizeof s, "s");
  klee_assume(s[0] >= '0');
  klee_assume(s[0] <= '9');
  klee_assume(s[1] >= '0');
  klee_assume(s[1] <= '9');
  int v = (s[0] - '0') * 10 + (s[1] - '0');
  if (v == 42) {
    assert(s[0] == '4');
    assert(s[1] == '2');
  } else if (v > 90) {
    assert(s[0] == '9');
    assert(s[1] != '0');
  } else {
    assert(v <= 90);
  }
  return 0;
}
