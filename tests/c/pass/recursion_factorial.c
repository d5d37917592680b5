// Tests direct recursion with a concrete depth.
// paths: 1
#include <assert.h>

static unsigned long fact(unsigned n) { return n < 2 ? 1 : n * fact(n - 1); }

int main(void) {
  assert(fact(0) == 1);
  assert(fact(5) == 120);
  assert(fact(20) == 2432902008176640000ul);
  return 0;
}
