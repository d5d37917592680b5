// Tests element-wise integer vector arithmetic and bitwise operations.
// paths: 1
#include <assert.h>

typedef int v4 __attribute__((ext_vector_type(4)));

int main(void) {
  v4 a = {1, -2, 3, 40}, b = {10, 20, -30, 7};
  v4 s = a + b, d = a - b, p = a * b, q = b / a, r = b % a, n = -a, x = (a & b) ^ (a | b);
  assert(s.x == 11 && s.y == 18 && s.z == -27 && s.w == 47);
  assert(d.x == -9 && d.w == 33);
  assert(p.x == 10 && p.y == -40 && p.z == -90 && p.w == 280);
  assert(q.x == 10 && q.y == -10 && q.z == -10 && q.w == 0);
  assert(r.w == 7 && r.x == 0);
  assert(n.y == 2);
  assert(x.w == (40 ^ 7));
  assert((~a).x == -2);
  return 0;
}
