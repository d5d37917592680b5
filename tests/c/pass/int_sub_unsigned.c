// Tests unsigned 32-bit subtraction: wrap-around below zero and the inverse of addition.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  unsigned d = a - b;
  assert(d + b == a);
  if (a >= b)
    assert(d <= a);
  else
    assert(d > a);
  return 0;
}
