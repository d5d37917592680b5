// Tests concrete x86 80-bit long double arithmetic and conversions.
// paths: 1
#include <assert.h>

int main(void) {
  long double one = 1.0L, big = 0x1p63L;
  assert(big + one != big);
  assert((double)(big + one) == (double)big);
  assert((unsigned long)(big + one) == 0x8000000000000001ul);
  long double third = one / 3;
  assert(third != (long double)(double)third);
  assert(third * 3 == one);
  int i = -7;
  assert((int)((long double)i / 2) == -3);
  assert(-third < 0 && third > 0.3333333333333333L);
  return 0;
}
