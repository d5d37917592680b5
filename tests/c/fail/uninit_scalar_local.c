// Tests a scalar local (promoted to a register) that is unset on one path.
// options: --check-uninit
// symbolic-only
#include <klee/klee.h>

int main(void) {
  int v;
  if (klee_int("c") > 0)
    v = 7;
  if (v == 7) //~ uninit: uninitialised read
    return 0;
  return 0;
}
