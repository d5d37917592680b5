// Tests a buffer whose terminating zero one path leaves out, so that the length is read beyond it.
#include <klee/klee.h>

static int length(const char *s) {
  int n = 0;
  while (s[n]) //~ ptr: out of bounds
    n++;
  return n;
}

int main(void) {
  char s[4] = {'a', 'b', 'c', 'd'};
  int n = 0;
  if (klee_int("a") > 0)
    s[3] = 0;
  if (klee_int("b") > 0)
    s[1] = 0;
  if (klee_int("c") > 0)
    n = 1;
  return n + length(s);
}
