// Tests a fork on the values of a length, of which the first path has two of three and none is bad.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char from[3] = {1, 2, 3}, to[3] = {0, 0, 0};
  int len = klee_range(1, 4, "len"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(len < 3);
  if (klee_int("b") > 0)
    n = 1;
  memcpy(to, from, (size_t)len);
  klee_assert(to[0] == 1);
  return n + to[1];
}
