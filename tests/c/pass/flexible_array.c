// Tests a flexible array member allocated on the heap.
// paths: 1
#include <assert.h>
#include <stdlib.h>

struct vec {
  unsigned n;
  short v[];
};

int main(void) {
  struct vec *x = malloc(sizeof *x + 5 * sizeof(short));
  x->n = 5;
  for (unsigned i = 0; i < x->n; i++)
    x->v[i] = (short)(i * i);
  assert(sizeof *x == 4);
  assert(x->v[4] == 16);
  assert((char *)&x->v[0] - (char *)x == 4);
  free(x);
  return 0;
}
