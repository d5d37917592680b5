// Tests inputs of every size from one to eight bytes, each with its own branch.
// paths: 16
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint8_t a;
  uint16_t b;
  uint32_t c;
  uint64_t d;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  klee_make_symbolic(&d, sizeof d, "d");
  int n = 0;
  if (a == 0xa1)
    n++;
  if (b == 0xb1b2)
    n++;
  if (c == 0xc1c2c3c4u)
    n++;
  if (d == 0xd1d2d3d4d5d6d7d8ull)
    n++;
  klee_assert(n <= 4);
  return 0;
}
