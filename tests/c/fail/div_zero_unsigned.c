// Tests unsigned 64-bit division by a difference that may be zero.
// paths: 1
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint8_t a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  uint64_t d = (uint64_t)a - b;
  uint64_t q = 5 / d; //~ div: division by zero
  klee_assert(q <= 5);
  return 0;
}
