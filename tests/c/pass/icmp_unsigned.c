// Tests the unsigned predicates ult, ule, ugt, uge against the signed ones on the same bits.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (a < b) {
    assert(a <= b);
    if ((int)a >= (int)b)
      assert(b >= 0x80000000u);
    else
      assert((a ^ b) < 0x80000000u);
  } else {
    assert(a >= b);
    assert(!(b > a));
    if ((int)a < (int)b)
      assert(a > 0x7fffffffu);
    else
      assert((a ^ b) <= 0x7fffffffu);
  }
  return 0;
}
