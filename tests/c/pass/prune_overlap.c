// Tests writes of one byte into an integer that a path has written whole, with nothing to find.
// paths: 8
#include <klee/klee.h>

int main(void) {
  unsigned word = 0x01010101, n = 0;
  unsigned char *bytes = (unsigned char *)&word;
  if (klee_int("a") > 0)
    word = 0x02020202;
  if (klee_int("b") > 0)
    bytes[2] = 7;
  if (klee_int("c") > 0)
    n = 1;
  klee_assert((word & 0xfcfcfcfc) == 0 || bytes[2] == 7);
  return (int)n;
}
