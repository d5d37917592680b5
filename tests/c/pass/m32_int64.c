// Tests 64-bit arithmetic and branching under -m32.
// options: --cc-arg=-m32 --cc-arg=-ffreestanding
// paths: 2
// symbolic-only
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned long long sq = (unsigned long long)x << 16;
  if (sq >> 32)
    klee_assert(x >= 0x10000);
  else
    klee_assert(x < 0x10000);
  unsigned long long k = 0x123456789ULL;
  klee_assert(k * 16 == 0x1234567890ULL);
  klee_assert((long long)k - 0x223456789LL == -0x100000000LL);
  return 0;
}
