// Tests the usual arithmetic conversions in comparisons of signed with unsigned values.
// paths: 1
#include <assert.h>

int main(void) {
  int minus = -1;
  unsigned one = 1u;
  unsigned short us = 1;
  long wide = -1;
  assert((unsigned)minus > one); /* int -> unsigned */
  assert(minus < us);            /* short -> int */
  assert(wide < one);            /* unsigned -> long */
  signed char sc = -1;
  unsigned char uc = 255;
  assert(sc != uc);
  assert((unsigned char)sc == uc);
  return 0;
}
