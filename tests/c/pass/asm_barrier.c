// Tests that an empty inline assembly statement used as a compiler barrier is ignored.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  int y = x;
  __asm__ volatile("" ::: "memory");
  assert(y == x);
  return 0;
}
