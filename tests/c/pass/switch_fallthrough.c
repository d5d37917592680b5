// Tests fall-through between switch cases.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 4, "x");
  int n = 0;
  switch (x) {
  case 3:
    n += 3;
    __attribute__((fallthrough));
  case 2:
    n += 2;
    __attribute__((fallthrough));
  case 1:
    n += 1;
  }
  assert(n == x * (x + 1) / 2);
  return 0;
}
