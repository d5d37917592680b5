// Tests element-wise vector shifts, logical and arithmetic.
// paths: 1
#include <assert.h>

typedef unsigned short us4 __attribute__((ext_vector_type(4)));
typedef short ss4 __attribute__((ext_vector_type(4)));

int main(void) {
  us4 a = {1, 2, 0x8000, 0xffff}, n = {0, 3, 15, 8};
  us4 l = a << n, r = a >> n;
  assert(l.x == 1 && l.y == 16 && l.z == 0 && l.w == 0xff00);
  assert(r.x == 1 && r.y == 0 && r.z == 1 && r.w == 0xff);
  ss4 s = {-1, -16, 16, -32768};
  ss4 m = {4, 2, 2, 15};
  ss4 t = s >> m;
  assert(t.x == -1 && t.y == -4 && t.z == 4 && t.w == -1);
  return 0;
}
