// Tests C11 _Atomic variables: plain operators and <stdatomic.h> calls.
// paths: 1
#include <assert.h>
#include <stdatomic.h>

int main(void) {
  _Atomic int n = 5;
  n++;
  n += 10;
  --n;
  assert(n == 15);
  assert(atomic_fetch_add(&n, 5) == 15);
  assert(atomic_fetch_sub(&n, 8) == 20);
  assert(atomic_fetch_and(&n, 0xa) == 12);
  assert(atomic_fetch_or(&n, 1) == 8);
  assert(atomic_fetch_xor(&n, 3) == 9);
  assert(atomic_exchange(&n, 77) == 10);
  atomic_store(&n, -1);
  assert(atomic_load(&n) == -1);
  atomic_flag f = ATOMIC_FLAG_INIT;
  assert(!atomic_flag_test_and_set(&f));
  assert(atomic_flag_test_and_set(&f));
  atomic_flag_clear(&f);
  assert(!atomic_flag_test_and_set(&f));
  return 0;
}
