// Tests an assertion on 65-bit arithmetic that needs the carry out of 64 bits.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint64_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned _BitInt(65) s = (unsigned _BitInt(65))x + 10;
  assert(s >> 64 == 0); //~ assert: assertion failed
  return 0;
}
