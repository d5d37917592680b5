// Tests printing a string whose terminating zero one path leaves out.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char s[4] = {'a', 'b', 'c', 'd'};
  int n = 0;
  if (klee_int("a") > 0)
    s[3] = 0;
  if (klee_int("b") > 0)
    n = 1;
  printf("%s\n", s); //~ ptr: out of bounds
  return n;
}
