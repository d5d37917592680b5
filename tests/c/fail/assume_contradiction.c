// Tests an assumption that contradicts an earlier one.
// paths: 0
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_assume(x > 5);
  klee_assume(x < 3); //~ user: invalid klee_assume
  return 0;
}
