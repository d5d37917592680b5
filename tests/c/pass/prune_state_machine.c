// Tests a loop over a state machine that comes back to its states and is too short to reach the last.
#include <klee/klee.h>

int main(void) {
  int at = 0;
  for (int lap = 0; lap < 2; lap++) {
    int x = klee_range(0, 3, "x");
    if (at == 0 && x == 2)
      at = 1;
    else if (at == 1 && x == 1)
      at = 2;
    else if (at == 2 && x == 0)
      at = 3;
    else
      at = 0;
  }
  klee_assert(at != 3);
  return 0;
}
