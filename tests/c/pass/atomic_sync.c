// Tests the old __sync_* builtins.
// paths: 1
#include <assert.h>

int main(void) {
  int n = 8;
  assert(__sync_fetch_and_add(&n, 2) == 8);
  assert(__sync_add_and_fetch(&n, 2) == 12);
  assert(__sync_fetch_and_sub(&n, 4) == 12);
  assert(__sync_fetch_and_or(&n, 7) == 8);
  assert(__sync_and_and_fetch(&n, 6) == 6);
  assert(__sync_xor_and_fetch(&n, 5) == 3);
  assert(__sync_bool_compare_and_swap(&n, 3, 50));
  assert(!__sync_bool_compare_and_swap(&n, 3, 60));
  assert(__sync_val_compare_and_swap(&n, 50, 70) == 50);
  assert(__sync_lock_test_and_set(&n, 1) == 70);
  __sync_lock_release(&n);
  __sync_synchronize();
  assert(n == 0);
  return 0;
}
