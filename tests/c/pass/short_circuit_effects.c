// Tests that the right operand of && and || is evaluated only when it must be.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

static int count;
static int yes(void) {
  count++;
  return 1;
}

int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  int p = a && yes();
  int n1 = count;
  int q = b || yes();
  int n2 = count - n1;
  assert(p == n1);
  assert(q == 1);
  assert(n2 == (b == 0));
  return 0;
}
