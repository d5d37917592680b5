// Mathematical functions of numbers are computed on the host.
// options: --external-calls=host
#include <assert.h>
#include <math.h>
#include <klee/klee.h>

int main(void) {
  int n = klee_range(0, 3, "n");
  double cube = 1;
  for (int i = 0; i < n; i++)
    cube *= 2;
  if (n == 2)
    assert(pow(2.0, 2.0) == cube && hypotf(3, 4) == 5);
  assert(erf(0.0) == 0 && tgamma(5.0) == 24 && nextafterf(1, 2) > 1 && cbrt(27.0) > 2.9);
  return 0;
}
