// Tests Euclid's algorithm on small symbolic numbers.
// paths: 5
#include <assert.h>
#include <klee/klee.h>

static unsigned gcd(unsigned a, unsigned b) {
  while (b) {
    unsigned t = a % b;
    a = b;
    b = t;
  }
  return a;
}

int main(void) {
  unsigned a = (unsigned)klee_range(1, 13, "a");
  unsigned g = gcd(a, 12);
  assert(g >= 1);
  assert(a % g == 0);
  assert(12 % g == 0);
  return 0;
}
