// Tests inserting and extracting vector elements at a variable and a symbolic index.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

typedef int v4 __attribute__((ext_vector_type(4)));

int main(void) {
  v4 v = {5, 6, 7, 8};
  for (int i = 0; i < 4; i++)
    v[i] += i;
  assert(v.w == 11);
  int i = klee_range(0, 4, "i");
  assert(v[i] == 5 + 2 * i);
  v[i] = 99;
  assert(v[i] == 99);
  assert(v.x + v.y + v.z + v.w == 32 - (5 + 2 * i) + 99);
  return 0;
}
