// Tests __builtin_shufflevector and swizzles, with symbolic lanes.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

typedef int v4 __attribute__((ext_vector_type(4)));
typedef int v2 __attribute__((ext_vector_type(2)));

int main(void) {
  int x = klee_int("x"), y = klee_int("y");
  v4 a = {x, 1, 2, 3}, b = {4, 5, 6, y};
  v4 r = __builtin_shufflevector(a, b, 7, 0, 5, 2);
  assert(r.x == y);
  assert(r.y == x);
  assert(r.z == 5);
  assert(r.w == 2);
  v4 rev = a.wzyx;
  assert(rev.w == x && rev.x == 3);
  v2 hi = b.zw;
  assert(hi.y == y);
  a.xw = a.wx;
  assert(a.x == 3 && a.w == x);
  return 0;
}
