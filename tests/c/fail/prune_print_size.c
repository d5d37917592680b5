// Tests writing a buffer whose length two paths have chosen.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char s[4] = {'a', 'b', 'c', '\n'};
  size_t length = 5;
  int n = 0;
  if (klee_int("a") > 0)
    length = 4;
  if (klee_int("b") > 0)
    n = 1;
  fwrite(s, 1, length, stdout); //~ ptr: out of bounds
  return n;
}
