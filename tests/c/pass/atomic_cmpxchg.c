// Tests compare-and-exchange: success, failure, and a symbolic expected value.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdbool.h>

int main(void) {
  int v = 10, want = 10;
  bool ok = __atomic_compare_exchange_n(&v, &want, 20, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  assert(ok && v == 20 && want == 10);
  ok = __atomic_compare_exchange_n(&v, &want, 30, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  assert(!ok && v == 20 && want == 20);
  int guess = klee_int("guess"), saved = guess;
  ok = __atomic_compare_exchange_n(&v, &guess, 99, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  if (saved == 20) {
    assert(ok);
    assert(v == 99);
  } else {
    assert(!ok);
    assert(v == 20);
    assert(guess == 20);
  }
  return 0;
}
