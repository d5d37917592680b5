// Tests floating-point vector arithmetic and comparison.
// paths: 1
#include <assert.h>

typedef float f4 __attribute__((ext_vector_type(4)));
typedef int i4 __attribute__((ext_vector_type(4)));

int main(void) {
  f4 a = {1.5f, -2.0f, 0.25f, 8.0f}, b = {2.0f, 4.0f, 4.0f, 0.5f};
  f4 s = a * b + 1.0f;
  assert(s.x == 4.0f && s.y == -7.0f && s.z == 2.0f && s.w == 5.0f);
  f4 q = a / b;
  assert(q.w == 16.0f && q.y == -0.5f);
  i4 lt = a < b;
  assert(lt.x == -1 && lt.w == 0);
  return 0;
}
