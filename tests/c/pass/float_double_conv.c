// Tests fpext and fptrunc: rounding, overflow to infinity, subnormals.
// paths: 1
#include <assert.h>

int main(void) {
  double third = 1.0 / 3.0;
  float f = (float)third;
  assert((double)f != third);
  assert((double)f > third);
  double huge = 1e300;
  float inf = (float)huge;
  assert(inf > 3.4e38f);
  assert(inf == inf * 2);
  double small = 1e-45;
  assert((float)small == 0x1p-149f);
  double under = 1e-60;
  assert((float)under == 0.0f);
  return 0;
}
