// Tests goto: a loop and an early exit built from labels.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char b[3];
  klee_make_symbolic(b, sizeof b, "b");
  int i = 0;
again:
  if (b[i] == 0)
    goto done;
  if (++i < 3)
    goto again;
done:
  assert(i == 3 || b[i] == 0);
  return 0;
}
