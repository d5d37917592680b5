// Tests scalar and vector min, max and abs builtins (smin, smax, umin, umax, abs).
// paths: 1
#include <assert.h>
#include <klee/klee.h>

typedef int v4 __attribute__((ext_vector_type(4)));

int main(void) {
  int x = klee_int("x");
  assert(__builtin_elementwise_max(x, 3) >= 3);
  assert(__builtin_elementwise_min(x, 3) <= x);
  unsigned u = (unsigned)x;
  assert(__builtin_elementwise_max(u, 7u) >= u);
  assert(__builtin_elementwise_min(u, 7u) <= 7u);
  v4 a = {-5, 5, 0, x}, b = {1, -1, 0, x};
  v4 m = __builtin_elementwise_max(a, b), n = __builtin_elementwise_abs(a);
  assert(m.x == 1 && m.y == 5 && m.z == 0);
  assert(m.w == x);
  assert(n.x == 5 && n.y == 5);
  return 0;
}
