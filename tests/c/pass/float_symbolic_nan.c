// Tests that a symbolic float may be NaN: x == x has both outcomes.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>
#include <string.h>

int main(void) {
  float x;
  uint32_t bits;
  klee_make_symbolic(&x, sizeof x, "x");
  memcpy(&bits, &x, sizeof bits);
  if (x == x)
    assert((bits & 0x7fffffff) <= 0x7f800000);
  else
    assert((bits & 0x7fffffff) > 0x7f800000);
  return 0;
}
