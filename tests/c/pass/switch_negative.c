// Tests a switch with negative case values on a signed char.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  signed char c;
  klee_make_symbolic(&c, sizeof c, "c");
  int r;
  switch (c) {
  case -128: r = 1; break;
  case -1: r = 2; break;
  case 127: r = 3; break;
  default: r = 0; break;
  }
  assert((r != 0) == (c == -128 || c == -1 || c == 127));
  return 0;
}
