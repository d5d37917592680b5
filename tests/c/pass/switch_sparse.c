// Tests a sparse switch on an unsigned value.
// paths: 5
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned r;
  switch (x) {
  case 3: r = 9; break;
  case 1000: r = 1000000; break;
  case 40000: r = 1600000000u; break;
  case 0x80000000u: r = 0; break;
  default: r = x * x; break;
  }
  assert(r == x * x);
  return 0;
}
