// Tests a union whose members are written by different branches.
#include <klee/klee.h>
#include <string.h>

union cell {
  unsigned long long all;
  unsigned short parts[4];
  unsigned char bytes[8];
};

int main(void) {
  union cell c;
  c.all = 0;
  if (klee_int("a") > 0)
    c.parts[1] = 0x1200;
  if (klee_int("b") > 0)
    c.bytes[3] = 0;
  else
    memcpy(&c.bytes[2], "\x34\x12", 2);
  int n = 0;
  if (klee_int("c") > 0)
    n = 1;
  klee_assert(c.parts[1] != 0x1234); //~ assert: assertion failed
  return n;
}
