// That a null pointer is used need not be an error.
#include <stdlib.h>

void hit(void) {}

static void f(int *p, int *q) {
  if (p == q && !q) {
    free(p);
    hit(); // reachable
  }
}
int main(void) {
  f(0, 0);
  return 0;
}
