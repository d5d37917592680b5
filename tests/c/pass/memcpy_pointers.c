// Tests that memcpy keeps copied pointers valid.
// paths: 1
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct box {
  int *p;
  void (*f)(int *);
};
static void inc(int *p) { ++*p; }

int main(void) {
  int x = 1, *h = malloc(sizeof *h);
  *h = 5;
  struct box a[2] = {{&x, inc}, {h, inc}}, b[2];
  memcpy(b, a, sizeof b);
  for (int i = 0; i < 2; i++)
    b[i].f(b[i].p);
  assert(x == 2);
  assert(*h == 6);
  free(b[1].p);
  return 0;
}
