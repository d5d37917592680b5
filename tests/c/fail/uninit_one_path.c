// Tests a local set through a pointer on one path only.
// options: --check-uninit
// symbolic-only
#include <klee/klee.h>

static void maybe_set(int *out, int c) {
  if (c > 0)
    *out = 7;
}

int main(void) {
  int v;
  maybe_set(&v, klee_int("c"));
  if (v == 7) //~ uninit: uninitialised read
    return 0;
  return 0;
}
