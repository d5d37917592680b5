// Tests pointer subtraction for element sizes that are not powers of two.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

struct triple {
  char c[3];
};

int main(void) {
  struct triple t[10];
  struct triple *p = &t[7], *q = &t[2];
  assert(p - q == 5);
  assert(q - p == -5);
  long d[6];
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 6);
  assert(&d[i] - d == i);
  assert((char *)&d[i] - (char *)d == 8 * i);
  return 0;
}
