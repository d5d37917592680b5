// Tests a function with more than six integer and more than eight floating-point parameters.
// paths: 1
#include <assert.h>

static long weigh(char a, short b, int c, long d, unsigned char e, int f, long g, short h) {
  return a + 2L * b + 3L * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
static double dsum(double a, float b, double c, double d, double e, double f, double g, double h, double i) {
  return a + b + c + d + e + f + g + h - i;
}

int main(void) {
  assert(weigh(-1, 2, -3, 4, 255, 6, -7, 8) == 1336);
  assert(dsum(1, 2, 3, 4, 5, 6, 7, 8, 0.5) == 35.5);
  return 0;
}
