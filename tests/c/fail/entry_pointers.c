// A function run by itself: pointers are null, or lead to one element or several; pointers inside structures and arrays too; structures passed by value are inputs.
// options: --entry=pairs
// symbolic-only
#include <assert.h>
#include <stddef.h>

typedef const char *text;
struct pair {
  int *p;
  text q[2];
  double d;
};

static int third(const int *a) {
  return a[2]; //~ ptr: past
}

int pairs(struct pair *x, struct pair y, int (*callback)(int), float f) {
  if (x == NULL || x->p == NULL)
    return 0;
  if (x->q[1] && x->q[1][0] == 'z' && x->q[1][1] == 0 && y.d > 2.5 && f < 0)
    assert(*x->p != 7); //~ assert
  if (x->q[0])
    assert(x->q[0][3] == 0); // four bytes, and a text ends
  return third(x->p);
}

int main(void) { return 0; }
