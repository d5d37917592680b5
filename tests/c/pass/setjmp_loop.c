// Tests repeated longjmp to the same buffer, used as a retry loop.
// paths: 4
#include <assert.h>
#include <klee/klee.h>
#include <setjmp.h>

static jmp_buf retry;
static void attempt(int tries, int needed) {
  if (tries < needed)
    longjmp(retry, tries + 1);
}

int main(void) {
  int needed = klee_range(0, 4, "needed");
  int tries = setjmp(retry);
  attempt(tries, needed);
  assert(tries == needed);
  return 0;
}
