// Tests an assertion on the sum of symbolic vector lanes.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

typedef unsigned v4 __attribute__((ext_vector_type(4)));

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  v4 a = {x, 2, 3, 4};
  v4 b = a * a;
  assert(b.x + b.y + b.z + b.w != 78); //~ assert: assertion failed
  return 0;
}
