// Tests a loop whose counter matters: three false sides in a row.
#include <klee/klee.h>

int main(void) {
  int count = 0;
  for (int i = 0; i < 4; i++) {
    if (klee_int("x") > 0)
      count++;
  }
  klee_assert(count != 1); //~ assert: assertion failed
  return 0;
}
