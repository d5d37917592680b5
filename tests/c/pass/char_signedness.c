// Tests that plain char is signed and that its promotion keeps the sign.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  char c;
  klee_make_symbolic(&c, sizeof c, "c");
  int i = c;
  unsigned char u = (unsigned char)c;
  if (c < 0)
    assert(i == (int)u - 256);
  else
    assert(i == (int)u);
  return 0;
}
