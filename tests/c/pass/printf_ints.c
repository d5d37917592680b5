// Tests printf of integers: widths, flags, lengths and bases.
// paths: 1
// stdout: 42 -7 0
// stdout: [    5] [5    ] [00005] [+5]
// stdout: ff FF 0xff 377
// stdout: -1 18446744073709551615 4294967295
// stdout: -56 200 65535
// stdout: A%
#include <stdio.h>

int main(void) {
  printf("%d %i %u\n", 42, -7, 0u);
  printf("[%5d] [%-5d] [%05d] [%+d]\n", 5, 5, 5, 5);
  printf("%x %X %#x %o\n", 255, 255, 255, 255);
  printf("%ld %lu %u\n", -1L, -1L, -1);
  printf("%hhd %hhu %hu\n", (signed char)200, (unsigned char)200, (unsigned short)65535);
  printf("%c%%\n", 'A');
  return 0;
}
