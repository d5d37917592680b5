// Tests that n independent two-way branches give 2^n paths.
// paths: 32
#include <klee/klee.h>

int main(void) {
  unsigned char b[5];
  klee_make_symbolic(b, sizeof b, "b");
  int n = 0;
  if (b[0] > 9)
    n++;
  if (b[1] > 9)
    n++;
  if (b[2] > 9)
    n++;
  if (b[3] > 9)
    n++;
  if (b[4] > 9)
    n++;
  klee_assert(n <= 5);
  return 0;
}
