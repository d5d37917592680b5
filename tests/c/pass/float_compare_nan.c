// Tests ordered and unordered comparisons with NaN, and that zeros of both signs are equal.
// paths: 1
#include <assert.h>
#include <math.h>

int main(void) {
  double n = NAN, one = 1.0, z = 0.0, m = -0.0;
  assert(n != n);
  assert(!(n == n));
  assert(!(n < one) && !(n > one) && !(n <= one) && !(n >= one));
  assert(!(n == one) && n != one);
  assert(isunordered(n, one) && !isunordered(one, z));
  assert(z == m);
  assert(!(m < z));
  assert(isless(z, one) && !isless(n, one));
  assert(islessgreater(z, one) && !islessgreater(n, one));
  return 0;
}
