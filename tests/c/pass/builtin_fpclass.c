// Tests __builtin_isfpclass on concrete and symbolic values.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  double inf = __builtin_inf(), one = 1.0;
  assert(__builtin_isfpclass(inf, 0x200));  /* +inf */
  assert(!__builtin_isfpclass(one, 0x003)); /* nan */
  assert(__builtin_isfpclass(-one, 0x008)); /* -normal */
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (__builtin_isnan(x))
    assert(!(x < 0.0f));
  else
    assert(x == x);
  return 0;
}
