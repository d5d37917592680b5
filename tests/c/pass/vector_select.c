// Tests the element-wise conditional operator on vectors (select with a vector condition).
// paths: 1
#include <assert.h>
#include <klee/klee.h>

typedef int v4 __attribute__((ext_vector_type(4)));

int main(void) {
  int x = klee_int("x");
  v4 c = {x, 5, -5, 0};
  v4 zero = {0, 0, 0, 0}, yes = {1, 2, 3, 4}, no = {10, 20, 30, 40};
  v4 r = c < zero ? yes : no;
  assert(r.y == 20);
  assert(r.z == 3);
  assert(r.w == 40);
  assert(r.x == (x < 0 ? 1 : 10));
  return 0;
}
