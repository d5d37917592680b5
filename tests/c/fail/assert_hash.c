// Tests finding a three-letter word by its multiplicative hash.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  char w[3];
  klee_make_symbolic(w, sizeof w, "w");
  unsigned h = 17;
  for (int i = 0; i < 3; i++) {
    klee_assume(w[i] >= 'a');
    klee_assume(w[i] <= 'z');
    h = h * 31 + (unsigned)w[i];
  }
  assert(h != 608030u); //~ assert: assertion failed
  return 0;
}
