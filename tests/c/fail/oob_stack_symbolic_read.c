// Tests a read from a stack array at a symbolic index that may be one too large.
// paths: 1
#include <klee/klee.h>

int main(void) {
  int a[10];
  for (int i = 0; i < 10; i++)
    a[i] = i;
  int i = klee_range(0, 11, "i");
  int v = a[i]; //~ ptr: out of bounds
  klee_assert(v == i);
  return 0;
}
