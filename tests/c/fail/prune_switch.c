// Tests a switch of which the first path can take some cases only, and a later one all.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int x = klee_int("x"), n = 0;
  if (klee_int("a") > 0)
    klee_assume((x == 1) | (x == 2));
  if (klee_int("b") > 0)
    n = 1;
  switch (x) {
  case 1: n += 5; break;
  case 2: n += 7; break;
  case 3: abort(); //~ abort: abort called
  default: break;
  }
  return n;
}
