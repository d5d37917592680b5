// Tests errno behind allocations that fail.
#include <errno.h>
#include <klee/klee.h>
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
  void *p = malloc(8);
  errno = 0;
  switch (klee_choose(3)) {
  case 0:
    p = malloc(1ul << 62);
    break;
  case 1:
    p = calloc(1ul << 33, 1ul << 33);
    break;
  default:
    p = realloc(p, 1ul << 62);
  }
  if (!p && errno == ENOMEM)
    reach_error(); //~ reach_error: reach_error called
  return 0;
}
