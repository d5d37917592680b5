// Tests a branch on an element of a stack array that was not written.
// options: --check-uninit
// symbolic-only
#include <klee/klee.h>

int main(void) {
  int a[4];
  for (int i = 0; i < 3; i++)
    a[i] = i;
  int i = klee_range(0, 4, "i");
  int *p = a;
  if (p[i] == 2) //~ uninit: uninitialised read
    return 1;
  return 0;
}
