// Tests a struct member array indexed beyond the end of the whole object.
// paths: 1
#include <klee/klee.h>

struct rec {
  int id;
  unsigned char name[4];
};

int main(void) {
  struct rec r = {1, {1, 2, 3, 4}};
  int i = klee_range(0, 6, "i");
  int v = r.name[i]; //~ ptr: out of bounds
  klee_assert(v == i + 1);
  return 0;
}
