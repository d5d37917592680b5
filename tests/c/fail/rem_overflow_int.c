// Tests that INT_MIN % -1 is reported like the division.
// paths: 0
#include <limits.h>

static int rem(int a, int b) {
  return a % b; //~ overflow: division overflow
}

int main(void) { return rem(INT_MIN, -1); }
