// Tests 32-bit multiplication: concrete products, wrap-around, and a symbolic factor found by branching.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned k = 0x10001u;
  assert(k * 0xffffu == 0xffffffffu);
  assert(k * k == 0x20001u);
  int m = -7;
  assert(m * 6 == -42);
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  if ((unsigned char)(x * 3) == 1)
    assert(x == 171);
  else
    assert(x != 171);
  return 0;
}
