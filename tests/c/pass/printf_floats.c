// Tests printf of floating-point values.
// paths: 1
// stdout: 1.500000 -2.25 3
// stdout: 1.000000e+03
// stdout: 0.1 1e+10
#include <stdio.h>

int main(void) {
  printf("%f %.2f %.0f\n", 1.5, -2.25, 3.0);
  printf("%e\n", 1000.0);
  printf("%g %g\n", 0.1, 1e10);
  return 0;
}
