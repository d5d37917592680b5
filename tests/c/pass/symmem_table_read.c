// Tests reading a constant table at a symbolic index without forking.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

static const int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};

int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 8);
  assert(squares[i] == (int)(i * i));
  if (squares[i] == 25)
    assert(i == 5);
  else
    assert(i != 5);
  return 0;
}
