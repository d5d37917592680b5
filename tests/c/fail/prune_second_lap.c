// Tests a loop whose first lap is harmless and whose second reaches the error on another input.
#include <klee/klee.h>

int main(void) {
  int mode = 0;
  for (int lap = 0; lap < 2; lap++) {
    int x = klee_int("x");
    klee_assert(!(mode == 1 && x == 9)); //~ assert: assertion failed
    if (x > 0)
      continue;
    mode = 1;
  }
  return mode;
}
