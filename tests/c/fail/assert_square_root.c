// Tests an assertion that asks for a non-trivial 16-bit square root.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint16_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  uint32_t sq = (uint32_t)x * x;
  assert(sq != 3837681u); //~ assert: assertion failed
  return 0;
}
