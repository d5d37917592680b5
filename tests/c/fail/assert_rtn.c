// Tests what assert is on another system.
// symbolic-only
#include <klee/klee.h>

void __assert_rtn(const char *function, const char *file, int line, const char *text);

int main(void) {
  if (klee_int("x") == 7)
    __assert_rtn("main", "file.c", 1, "x != 7"); //~ assert: x != 7
  return 0;
}
