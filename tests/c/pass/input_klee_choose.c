// Tests klee_choose: a value below the given bound.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  uintptr_t c = klee_choose(4);
  assert(c < 4);
  int hit = 0;
  for (unsigned i = 0; i < 4; i++)
    if (c == i)
      hit++;
  assert(hit == 1);
  return 0;
}
