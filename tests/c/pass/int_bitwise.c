// Tests and, or, xor and not: De Morgan's laws and xor swap on symbolic words.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  assert(~(a & b) == (~a | ~b));
  assert(~(a | b) == (~a & ~b));
  assert((a ^ b) == ((a | b) & ~(a & b)));
  unsigned p = a, q = b;
  p ^= q;
  q ^= p;
  p ^= q;
  assert(p == b);
  assert(q == a);
  return 0;
}
