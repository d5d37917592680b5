// Tests a jump that only the last path has prepared.
#include <klee/klee.h>
#include <setjmp.h>

static jmp_buf there;
static int ready;

static int work(void) {
  int n = 0;
  if (klee_int("b") > 0)
    n = 1;
  if (ready)
    longjmp(there, 1);
  return n;
}

int main(void) {
  if (klee_int("a") <= 0) {
    if (setjmp(there) == 0)
      ready = 1;
    else
      klee_assert(!ready); //~ assert: assertion failed
  }
  return ready && klee_int("c") > 0 ? 0 : work();
}
