// Tests vector comparisons: each lane becomes all ones or zero.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

typedef int v4 __attribute__((ext_vector_type(4)));
typedef unsigned u4 __attribute__((ext_vector_type(4)));

int main(void) {
  int x = klee_int("x");
  v4 a = {x, 2, 3, -4}, b = {x, 3, 2, 4};
  v4 eq = a == b, lt = a < b, ge = a >= b;
  assert(eq.x == -1 && eq.y == 0);
  assert(lt.x == 0 && lt.y == -1 && lt.z == 0 && lt.w == -1);
  assert(ge.x == -1 && ge.z == -1);
  u4 ua = {1, 2, 3, 0xfffffffc}, ub = {1, 3, 2, 4};
  assert((ua < ub).w == 0);
  assert((ua > ub).w == -1);
  return 0;
}
