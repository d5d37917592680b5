// Tests that a variable-length array in a loop is released each round (stacksave/stackrestore).
// paths: 1
#include <assert.h>

int main(void) {
  unsigned total = 0;
  for (int n = 1; n <= 200; n++) {
    unsigned char a[n * 100];
    a[0] = 1;
    a[n * 100 - 1] = 2;
    total += a[0] + a[n * 100 - 1];
  }
  assert(total == 600);
  return 0;
}
