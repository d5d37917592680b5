// Tests a loop whose trip count is symbolic: one path per possible count.
// paths: 9
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 8);
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += i;
  assert(sum * 2 + n == (unsigned)n * n);
  return 0;
}
