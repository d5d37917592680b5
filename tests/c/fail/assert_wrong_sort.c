// Tests a three-element sort that misses one comparison.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

static void order(unsigned char *a, unsigned char *b) {
  if (*a > *b) {
    unsigned char t = *a;
    *a = *b;
    *b = t;
  }
}

int main(void) {
  unsigned char v[3];
  klee_make_symbolic(v, sizeof v, "v");
  order(&v[0], &v[1]);
  order(&v[1], &v[2]);
  assert(v[0] <= v[1]); //~ assert: assertion failed
  return 0;
}
