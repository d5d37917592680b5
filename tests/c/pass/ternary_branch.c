// Tests a conditional expression whose arms have effects: it branches and merges by a phi.
// paths: 3
#include <assert.h>
#include <klee/klee.h>

static int calls;
static int bump(int by) {
  calls += by;
  return calls;
}

int main(void) {
  signed char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int v = x > 10 ? bump(1) : x < -10 ? bump(2) : bump(4);
  assert(v == calls);
  assert(v == 1 || v == 2 || v == 4);
  return 0;
}
