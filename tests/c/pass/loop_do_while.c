// Tests a do-while loop that halves a symbolic value: at least one iteration.
// paths: 8
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int n = 0;
  unsigned v = x;
  do {
    n++;
    v >>= 1;
  } while (v != 0);
  assert(n >= 1);
  assert(n <= 8);
  assert((x >> (n - 1)) <= 1);
  return 0;
}
