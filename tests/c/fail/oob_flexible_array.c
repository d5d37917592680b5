// Tests an access past a flexible array member.
// paths: 1
#include <klee/klee.h>
#include <stdlib.h>

struct vec {
  int n;
  int v[];
};

int main(void) {
  struct vec *x = malloc(sizeof *x + 3 * sizeof(int));
  x->n = klee_range(0, 5, "n");
  for (int i = 0; i < 3; i++)
    x->v[i] = i;
  int r = x->v[x->n]; //~ ptr: out of bounds
  klee_assert(r == x->n);
  free(x);
  return 0;
}
