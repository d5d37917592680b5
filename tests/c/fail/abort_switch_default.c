// Tests a switch whose default aborts.
// paths: 3
#include <klee/klee.h>
#include <stdlib.h>

static int cost(char kind) {
  switch (kind) {
  case 's': return 1;
  case 'm': return 2;
  case 'l': return 3;
  default:
    abort(); //~ abort: abort called
  }
}

int main(void) {
  char k;
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assert(cost(k) > 0);
  return 0;
}
