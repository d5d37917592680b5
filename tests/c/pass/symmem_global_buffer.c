// Tests a global array made symbolic and indexed by its own contents.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

static unsigned char perm[4];

int main(void) {
  klee_make_symbolic(perm, sizeof perm, "perm");
  for (int i = 0; i < 4; i++)
    perm[i] &= 3;
  assert(perm[perm[perm[0]]] < 4);
  return 0;
}
