// Tests a pointer chosen by branching among heap, stack and global objects.
// paths: 3
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

static int g = 1;

int main(void) {
  int s = 2;
  int *h = malloc(sizeof *h);
  *h = 3;
  int i = klee_range(0, 3, "i");
  int *p = i == 0 ? &g : i == 1 ? &s : h;
  *p += 10;
  assert(g + s + *h == 16);
  assert(*p == 11 + i);
  free(h);
  return 0;
}
