// Tests overflow builtins with operands and results of different widths and signs.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  int8_t b;
  uint8_t u;
  int64_t d;
  int a = 100, c = 28, neg = -1;
  assert(__builtin_add_overflow(a, c, &b) && b == -128);
  assert(!__builtin_add_overflow(a, c, &u) && u == 128);
  assert(__builtin_add_overflow(neg, 0, &u) && u == 255);
  assert(!__builtin_mul_overflow(a, 1ll << 40, &d) && d == 100ll << 40);
  int16_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  int16_t r;
  if (__builtin_mul_overflow(x, (int16_t)4, &r))
    assert((uint16_t)(x + 8192) > 16383);
  else
    assert(r == 4 * x);
  return 0;
}
