// Tests two strings that are equal on the last path only.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char s[4], t[4] = "xyz";
  int n = 0;
  if (klee_int("a") > 0)
    strcpy(s, "xyy");
  else
    strcpy(s, "xyz");
  if (klee_int("b") > 0)
    t[0] = 'w';
  if (klee_int("c") > 0)
    n = 1;
  if (strcmp(s, t) == 0)
    abort(); //~ abort: abort called
  return n;
}
