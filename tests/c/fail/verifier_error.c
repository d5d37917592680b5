// Tests __VERIFIER_error, the older name of reach_error.
#include <klee/klee.h>

extern void __VERIFIER_error(void);

int main(void) {
  if (klee_int("x") == 7)
    __VERIFIER_error(); //~ reach_error: __VERIFIER_error called
  return 0;
}
