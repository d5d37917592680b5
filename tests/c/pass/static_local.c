// Tests static locals: kept between calls, one per function.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

static int next(void) {
  static int n = 10;
  return n++;
}
static int other(void) {
  static int n;
  return ++n;
}

int main(void) {
  assert(next() == 10);
  assert(other() == 1);
  if (klee_int("more") > 0)
    next();
  int v = next();
  assert(v == 11 || v == 12);
  assert(other() == 2);
  return 0;
}
