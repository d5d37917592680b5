// Tests that an error in one state does not disturb its siblings' memory.
// paths: 3
#include <klee/klee.h>

static int log_[4];

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  int n = 0;
  log_[n++] = 1;
  if (c & 1)
    log_[n++] = 2;
  if (c & 2)
    log_[n++] = 3;
  if (n == 3)
    n += 1;
  log_[n] = 4; //~ ptr: out of bounds
  klee_assert(log_[0] == 1);
  klee_assert(log_[n] == 4);
  return 0;
}
