// Tests conversion of a symbolic integer to double and comparison there.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  short s;
  klee_make_symbolic(&s, sizeof s, "s");
  double d = s;
  if (d * 0.5 > 100.25)
    assert(s >= 201);
  else
    assert(s <= 200);
  return 0;
}
