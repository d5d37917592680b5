// Tests that || short-circuits: one path per operand that decides, plus the false one.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char a, b, c;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  int none = 1;
  if (a == 1 || b == 2 || c == 3)
    none = 0;
  if (none)
    assert(a * 1 != 1);
  return 0;
}
