// Tests a loop with a counter that does not matter next to a flag that does, set in the last lap.
#include <klee/klee.h>

int main(void) {
  int count = 0, flag = 0;
  for (int i = 0; i < 4; i++) {
    if (klee_int("x") > 0)
      count++;
    else
      flag |= i == 3;
  }
  if (klee_int("y") > 0)
    count = 0;
  klee_assert(!flag); //~ assert: assertion failed
  return count;
}
