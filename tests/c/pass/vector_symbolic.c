// Tests vector addition with symbolic lanes, and that lanes wrap independently.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

typedef unsigned char v8 __attribute__((ext_vector_type(8)));

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  v8 a = {0, 1, 2, 3, 250, 251, 252, 253};
  v8 b = a + x;
  assert(b[0] == x);
  assert((unsigned char)(b[7] - b[0]) == 253);
  if (b[7] < b[0])
    assert(x >= 3);
  else
    assert(x < 3);
  return 0;
}
