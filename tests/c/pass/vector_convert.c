// Tests __builtin_convertvector between integer and floating-point element types.
// paths: 1
#include <assert.h>

typedef int i4 __attribute__((ext_vector_type(4)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef signed char c4 __attribute__((ext_vector_type(4)));
typedef double d4 __attribute__((ext_vector_type(4)));

int main(void) {
  i4 a = {-1, 300, 7, 128};
  f4 f = __builtin_convertvector(a, f4);
  assert(f.x == -1.0f && f.y == 300.0f);
  c4 c = __builtin_convertvector(a, c4);
  assert(c.x == -1 && c.y == 44 && c.z == 7 && c.w == -128);
  i4 back = __builtin_convertvector(c, i4);
  assert(back.w == -128);
  d4 d = {2.9, -2.9, 0.5, 1e3};
  i4 t = __builtin_convertvector(d, i4);
  assert(t.x == 2 && t.y == -2 && t.z == 0 && t.w == 1000);
  return 0;
}
