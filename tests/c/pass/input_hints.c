// Tests what KLEE has and this engine does without: marks and merges change nothing, and errno is the library's, not a variable of that name.
#include <assert.h>
#include <errno.h>
#include <klee/klee.h>
#include <stdlib.h>

int error_number = 5;

int main(void) {
  int x = klee_int("x");
  klee_mark_global(&x);
  klee_posix_prefer_cex(&x, x == 3);
  klee_merge();
  errno = 0;
  assert(klee_get_errno() == 0);
  assert(!malloc(1ul << 62));
  assert(klee_get_errno() == ENOMEM);
  return error_number == 5 ? 0 : 1;
}
