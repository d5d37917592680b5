// Tests signed remainder by zero on one path.
// paths: 2
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 10, "x");
  int m = 4;
  if (x == 3)
    m = 0;
  else if (x == 5)
    m = 2;
  int r = x % m; //~ div: division by zero
  klee_assert(r < 4);
  return 0;
}
