// Tests an assertion about a table read at a symbolic index: one entry is wrong.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

static const unsigned char squares[10] = {0, 1, 4, 9, 16, 25, 36, 49, 46, 81};

int main(void) {
  int i = klee_range(0, 10, "i");
  assert(squares[i] == i * i); //~ assert: assertion failed
  return 0;
}
