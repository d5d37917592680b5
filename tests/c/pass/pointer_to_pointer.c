// Tests stores and loads of pointers through several levels of indirection.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

static void redirect(int **slot, int *to) { *slot = to; }

int main(void) {
  int x = 1, y = 2;
  int *p = &x;
  int **pp = &p;
  int ***ppp = &pp;
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  if (c)
    redirect(*ppp, &y);
  ***ppp = 50;
  if (c) {
    assert(x == 1);
    assert(y == 50);
  } else {
    assert(x == 50);
    assert(y == 2);
  }
  return 0;
}
