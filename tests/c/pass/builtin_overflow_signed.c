// Tests signed add/sub/mul overflow builtins: one path with overflow, one without, per test.
// paths: 4
#include <assert.h>
#include <klee/klee.h>
#include <limits.h>

int main(void) {
  int r;
  int max = INT_MAX, min = INT_MIN;
  assert(__builtin_add_overflow(max, 1, &r) && r == INT_MIN);
  assert(__builtin_sub_overflow(min, 1, &r) && r == INT_MAX);
  assert(__builtin_mul_overflow(max, 2, &r) && r == -2);
  assert(!__builtin_mul_overflow(max, -1, &r) && r == -INT_MAX);
  int x = klee_int("x");
  if (__builtin_add_overflow(x, 100, &r))
    assert(x > INT_MAX - 100);
  else
    assert(r > x);
  int y = klee_int("y");
  if (__builtin_sub_overflow(y, 5, &r))
    assert(y < INT_MIN + 5);
  else
    assert(r < y);
  return 0;
}
