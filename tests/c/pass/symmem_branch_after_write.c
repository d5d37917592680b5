// Tests branching on memory after a symbolic write: both outcomes are possible.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  char flags[6] = {0};
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 6);
  flags[i] = 1;
  if (flags[3])
    assert(i == 3);
  else
    assert(i != 3);
  return 0;
}
