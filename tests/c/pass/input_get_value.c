// Tests klee_get_value_*: the value returned satisfies the constraints.
// paths: 1
// exit: 5
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(3, 10, "x");
  int v = klee_get_value_i32(x);
  assert(v >= 3);
  assert(v < 10);
  int64_t w;
  klee_make_symbolic(&w, sizeof w, "w");
  klee_assume(w > 1ll << 40);
  assert(klee_get_value_i64(w) > 1ll << 40);
  assert(klee_get_valuell(w) > 1ll << 40);
  return 0;
}
