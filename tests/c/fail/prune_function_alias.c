// Tests klee_alias_function on the last path only.
// symbolic-only
#include <klee/klee.h>

int good(void) { return 1; }
int bad(void) { return 0; }

int main(void) {
  int n = bad();
  if (klee_int("a") > 0)
    n = 1;
  else
    klee_alias_function("good", "bad");
  if (klee_int("b") > 0)
    n = 2;
  return n + 4 / good(); //~ div: division by zero
}
