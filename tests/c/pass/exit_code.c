// Tests that a non-zero exit code of the program is not an error by itself.
// paths: 3
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int x = klee_range(0, 3, "x");
  if (x == 1)
    return 3;
  if (x == 2)
    exit(4);
  return 0;
}
