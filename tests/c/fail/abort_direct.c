// Tests a call of abort on one path.
// paths: 1
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  if (klee_int("x") == 0x600d)
    abort(); //~ abort: abort called
  return 0;
}
