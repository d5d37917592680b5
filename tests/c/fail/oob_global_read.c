// Tests a read past a global array.
// paths: 1
#include <klee/klee.h>

static short primes[5] = {2, 3, 5, 7, 11};

int main(void) {
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 7);
  int v = primes[i]; //~ ptr: out of bounds
  klee_assert(v > 0);
  return 0;
}
