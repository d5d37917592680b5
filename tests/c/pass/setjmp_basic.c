// Tests setjmp and longjmp within one call level below.
// paths: 1
#include <assert.h>
#include <setjmp.h>

static jmp_buf env;
static void leave(int v) { longjmp(env, v); }

int main(void) {
  volatile int visits = 0;
  int r = setjmp(env);
  visits++;
  if (r == 0)
    leave(42);
  assert(r == 42);
  assert(visits == 2);
  return 0;
}
