// Tests that an error on one of many paths is found and the others complete.
// paths: 8
#include <klee/klee.h>

int main(void) {
  unsigned char b[3];
  klee_make_symbolic(b, sizeof b, "b");
  int a[4] = {0};
  int at = 0;
  if (b[0] > 128)
    at += 1;
  if (b[1] > 128)
    at += 2;
  if (b[2] == 'x')
    at += 1;
  a[at & 3] = 1;
  if (at == 4 && b[0] == 200)
    a[at] = 1; //~ ptr: out of bounds
  return 0;
}
