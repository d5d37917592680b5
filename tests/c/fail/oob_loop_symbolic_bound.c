// Tests a loop whose symbolic bound may exceed the array.
// paths: 5
#include <klee/klee.h>

int main(void) {
  char a[4];
  unsigned n = (unsigned)klee_range(0, 7, "n");
  for (unsigned i = 0; i < n; i++)
    a[i] = (char)i; //~ ptr: out of bounds
  return 0;
}
