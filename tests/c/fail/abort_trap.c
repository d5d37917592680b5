// Tests __builtin_trap, which ends the program abnormally.
// paths: 1
#include <klee/klee.h>

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  if (c == 3)
    __builtin_trap(); //~ abort
  return 0;
}
