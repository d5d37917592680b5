// Tests that && short-circuits: one path per operand that decides, plus the true one.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char a, b, c;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  if (a > 10 && b > 20 && c > 30)
    assert(a + b + c >= 63);
  return 0;
}
