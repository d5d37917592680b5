// Tests a call through a null function pointer.
// paths: 1
#include <klee/klee.h>

static int one(int x) { return x + 1; }

int main(void) {
  int (*handlers[2])(int) = {one, 0};
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  int (*f)(int) = handlers[0];
  if (c == 'n')
    f = handlers[1];
  return f(1) - 2; //~ ptr: invalid function pointer
}
