// Tests a switch whose default cannot be reached on the first path: a mask leaves three of its values.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned x = (unsigned)klee_int("x"), mask = 7;
  int n = 0;
  if (klee_int("a") > 0)
    mask = 2;
  if (klee_int("b") > 0)
    n = 1;
  switch (x & mask) {
  case 0: n += 5; break;
  case 1: n += 6; break;
  case 2: n += 7; break;
  default: abort(); //~ abort: abort called
  }
  return n;
}
