// Tests a write at a symbolic index followed by reads at concrete and symbolic indices.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char a[8] = {0};
  unsigned i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 8);
  klee_assume(j < 8);
  a[i] = 42;
  assert(a[i] == 42);
  assert((a[j] == 42) == (i == j));
  int sum = 0;
  for (int k = 0; k < 8; k++)
    sum += a[k];
  assert(sum == 42);
  return 0;
}
