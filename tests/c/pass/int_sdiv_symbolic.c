// Tests signed division by a constant with a symbolic dividend.
// paths: 3
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  signed char c;
  klee_make_symbolic(&c, sizeof c, "c");
  int q = c / 3, r = c % 3;
  assert(q * 3 + r == c);
  if (r < 0)
    assert(c < 0);
  else if (r > 0)
    assert(c > 0);
  else
    assert(q * 3 == c);
  return 0;
}
