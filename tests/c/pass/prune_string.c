// Tests a string that two paths fill differently, and whose length decides nothing bad.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char s[8] = "abcdefg";
  int n = 0;
  if (klee_int("a") > 0)
    s[2] = 0;
  if (klee_int("b") > 0)
    s[5] = 0;
  if (klee_int("c") > 0)
    n = 1;
  if (strlen(s) > 7)
    abort();
  return n;
}
