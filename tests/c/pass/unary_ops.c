// Tests negation, complement, logical not, and pre/post increment and decrement.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  assert(-x == ~x + 1);
  assert(!x == (x == 0));
  unsigned y = x;
  assert(y++ == x);
  assert(y == x + 1);
  assert(--y == x);
  assert(++y == x + 1);
  assert(y-- == x + 1);
  unsigned char c = 255;
  c++;
  assert(c == 0);
  c--;
  assert(c == 255);
  return 0;
}
