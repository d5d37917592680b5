// Tests realloc: contents survive growing and shrinking; realloc of null allocates.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char in[4];
  klee_make_symbolic(in, sizeof in, "in");
  unsigned char *p = realloc(NULL, 4);
  for (int i = 0; i < 4; i++)
    p[i] = in[i];
  p = realloc(p, 100);
  p[99] = 9;
  for (int i = 0; i < 4; i++)
    assert(p[i] == in[i]);
  p = realloc(p, 2);
  assert(p[0] == in[0]);
  assert(p[1] == in[1]);
  free(p);
  return 0;
}
