// Tests a fork on the values of a length: the first path has two of the three.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char from[3] = {1, 2, 3}, to[2] = {0, 0};
  int len = klee_range(1, 4, "len"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(len < 3);
  if (klee_int("b") > 0)
    n = 1;
  memcpy(to, from, (size_t)len); //~ ptr: out of bounds
  return n + to[1];
}
