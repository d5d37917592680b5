// Tests a loop whose counter matters only as a bound.
// paths: 16
#include <klee/klee.h>

int main(void) {
  int count = 0;
  for (int i = 0; i < 4; i++) {
    if (klee_int("x") > 0)
      count++;
  }
  klee_assert(count <= 4);
  return 0;
}
