// Tests vector reductions: add, mul, and, or, xor, min and max.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

typedef int v4 __attribute__((ext_vector_type(4)));

int main(void) {
  int x = klee_range(0, 10, "x");
  v4 v = {x, 1, 2, 4};
  assert(__builtin_reduce_add(v) == x + 7);
  assert(__builtin_reduce_or(v) == (x | 7));
  assert(__builtin_reduce_xor(v) == (x ^ 7));
  assert(__builtin_reduce_and(v) == 0);
  assert(__builtin_reduce_max(v) >= 4);
  assert(__builtin_reduce_min(v) <= 1);
  v4 k = {2, 3, 5, 7};
  assert(__builtin_reduce_mul(k) == 210);
  return 0;
}
