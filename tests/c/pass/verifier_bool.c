// Tests __VERIFIER_nondet_bool: exactly the values 0 and 1.
// paths: 2
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void) {
  bool b = __VERIFIER_nondet_bool();
  int v = b;
  if (b)
    assert(v == 1);
  else
    assert(v == 0);
  return 0;
}
