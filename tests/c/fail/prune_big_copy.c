// Tests one byte of a large buffer that differs on two paths and is copied before it is looked at.
#include <klee/klee.h>
#include <string.h>

static char from[200], to[200];

int main(void) {
  int n = 0;
  memset(from, 1, sizeof from);
  if (klee_int("a") <= 0)
    from[150] = 0;
  if (klee_int("b") > 0)
    n = 1;
  memcpy(to, from, sizeof to);
  return n + 3 / to[150]; //~ div: division by zero
}
