// Tests klee_is_symbolic: true for an input, false for a constant and for a concretised value.
// paths: 1
// exit: 5
// symbolic-only
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  int k = 5;
  assert(klee_is_symbolic((uintptr_t)x));
  assert(!klee_is_symbolic((uintptr_t)k));
  int v = klee_get_value_i32(x);
  assert(!klee_is_symbolic((uintptr_t)v));
  return 0;
}
