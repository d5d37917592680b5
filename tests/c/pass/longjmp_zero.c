// Tests that longjmp with value 0 makes setjmp return 1.
// paths: 1
#include <assert.h>
#include <setjmp.h>

int main(void) {
  jmp_buf env;
  volatile int round = 0;
  int r = setjmp(env);
  if (round == 0) {
    assert(r == 0);
    round = 1;
    longjmp(env, 0);
  }
  assert(r == 1);
  return 0;
}
