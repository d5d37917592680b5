// How numbers are rounded is no value that a function is given.
#include <fenv.h>

void hit(void) {}

static void f(void) {
  volatile double one = 1, three = 3;
  if (one / three > 0.33333333333333333)
    hit(); // reachable
}
int main(void) {
  fesetround(FE_UPWARD);
  f();
  return 0;
}
