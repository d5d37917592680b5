// Pointers from outside that are compared before they are used: they are the same object or two.
// options: --entry=same
// exit: 5
// symbolic-only
#include <assert.h>
int same(int *p, int *q) {
  if (p && p == q) {
    *p = 1;
    *q = 2;
    assert(*p == 2);
    return 1;
  }
  if (p && q) {
    *p = 1;
    *q = 2;
    assert(*p == 1);
  }
  return 0;
}

int main(void) { return 0; }
