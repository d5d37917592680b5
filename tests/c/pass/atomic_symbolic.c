// Tests an atomic read-modify-write with a symbolic operand, and an atomic pointer.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdatomic.h>

int main(void) {
  int x = klee_int("x");
  atomic_uint n = 100;
  unsigned old = atomic_fetch_add(&n, (unsigned)x);
  assert(old == 100);
  assert(n - 100 == (unsigned)x);
  int cells[2] = {1, 2};
  _Atomic(int *) p = cells;
  if (x > 0)
    atomic_fetch_add(&p, 1);
  assert(*p == 1 + (x > 0));
  return 0;
}
