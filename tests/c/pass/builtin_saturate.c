// Tests saturating addition and subtraction, signed and unsigned, scalar and vector.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <limits.h>

typedef signed char s4 __attribute__((ext_vector_type(4)));

int main(void) {
  int big = INT_MAX - 1, low = INT_MIN + 1;
  assert(__builtin_elementwise_add_sat(big, 5) == INT_MAX);
  assert(__builtin_elementwise_sub_sat(low, 5) == INT_MIN);
  assert(__builtin_elementwise_add_sat(big, low) == -1);
  unsigned x, k = UINT_MAX - 5;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned s = __builtin_elementwise_add_sat(x, k);
  assert(s >= k);
  assert(s >= x);
  assert(__builtin_elementwise_sub_sat(x, k) <= 5);
  s4 a = {100, -100, 5, 127}, b = {100, -100, 6, -127};
  s4 r = __builtin_elementwise_add_sat(a, b);
  assert(r.x == 127 && r.y == -128 && r.z == 11 && r.w == 0);
  return 0;
}
