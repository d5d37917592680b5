// Tests a write through a pointer that is null on one path.
// paths: 1
#include <klee/klee.h>

int main(void) {
  int x = 0, *p = &x;
  if (klee_int("c") == 123456)
    p = 0;
  *p = 5; //~ ptr: null pointer
  klee_assert(x == 5);
  return 0;
}
