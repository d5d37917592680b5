// Tests klee_open_merge and klee_close_merge: the result is right whether or not paths are merged.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  int r;
  klee_open_merge();
  if (x < 10)
    r = 1;
  else
    r = 2;
  klee_close_merge();
  assert((r == 1) == (x < 10));
  return 0;
}
