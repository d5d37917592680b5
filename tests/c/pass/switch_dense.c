// Tests a dense switch on a symbolic value: one path per case plus the default.
// paths: 6
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  int r;
  switch (x) {
  case 0: r = 5; break;
  case 1: r = 4; break;
  case 2: r = 3; break;
  case 3: r = 2; break;
  case 4: r = 1; break;
  default: r = 0; break;
  }
  if (r)
    assert(x + r == 5);
  return 0;
}
