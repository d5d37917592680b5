// Tests sorting three symbolic bytes: sorted, and the sum is unchanged.
// paths: 6
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
  int sum = v[0] + v[1] + v[2];
  order(&v[0], &v[1]);
  order(&v[1], &v[2]);
  order(&v[0], &v[1]);
  assert(v[0] <= v[1]);
  assert(v[1] <= v[2]);
  assert(v[0] + v[1] + v[2] == sum);
  return 0;
}
