// Tests truncation of a symbolic double, restricted to a small range, to int.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  double d;
  klee_make_symbolic(&d, sizeof d, "d");
  klee_assume(d >= 0.0);
  klee_assume(d < 4.0);
  int i = (int)d;
  int n = 0;
  while (n < i)
    n++;
  assert(n <= 3);
  assert((double)n <= d);
  assert(d < n + 1.0);
  return 0;
}
