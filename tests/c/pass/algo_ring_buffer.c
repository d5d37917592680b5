// Tests a ring buffer driven by symbolic push/pop commands.
// paths: 32
#include <assert.h>
#include <klee/klee.h>

static int ring[4];
static unsigned head, tail;

int main(void) {
  unsigned char ops;
  klee_make_symbolic(&ops, sizeof ops, "ops");
  int next_in = 0, next_out = 0;
  for (int i = 0; i < 5; i++) {
    if ((ops >> i) & 1) {
      if (tail - head < 4)
        ring[tail++ % 4] = next_in++;
    } else if (tail != head) {
      assert(ring[head++ % 4] == next_out);
      next_out++;
    }
  }
  assert(next_in - next_out == (int)(tail - head));
  return 0;
}
