// Tests klee_abort.
// paths: 1
#include <klee/klee.h>

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  if (c % 16 == 9)
    klee_abort(); //~ abort: abort called
  return 0;
}
