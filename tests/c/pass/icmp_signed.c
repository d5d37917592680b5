// Tests the signed predicates slt, sle, sgt, sge: three-way comparison has three outcomes.
// paths: 3
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (a < b) {
    assert(!(a >= b));
    assert(b > a);
    assert(a <= b);
  } else if (a > b) {
    assert(!(a <= b));
    assert(b < a);
  } else {
    assert(a <= b);
    assert(a >= b);
    assert(a == b);
  }
  return 0;
}
