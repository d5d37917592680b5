// Tests volatile loads and stores.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

static volatile int reg;

int main(void) {
  volatile unsigned char v;
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  v = x;
  reg = v;
  reg++;
  if (v > 100)
    assert(reg > 101);
  else
    assert(reg == x + 1);
  return 0;
}
