// Tests __VERIFIER_assume: paths that violate it disappear without an error.
// paths: 2
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  __VERIFIER_assume(x > 5);
  __VERIFIER_assume(x < 9);
  if (x % 2 == 0)
    assert(x != 7);
  else
    assert(x == 7);
  return 0;
}
