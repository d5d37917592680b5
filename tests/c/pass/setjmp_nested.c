// Tests longjmp out of several nested calls, past live frames.
// paths: 3
#include <assert.h>
#include <klee/klee.h>
#include <setjmp.h>

static jmp_buf env;

static int dig(int level, int stop) {
  volatile char pad[16];
  pad[level] = (char)level;
  if (level == stop)
    longjmp(env, 100 + level);
  if (level == 9)
    return pad[9];
  return dig(level + 1, stop);
}

int main(void) {
  int stop = klee_range(7, 11, "stop");
  klee_assume(stop != 8);
  int r = setjmp(env);
  if (r == 0) {
    assert(dig(0, stop) == 9);
    assert(stop == 10);
  } else {
    assert(r == 100 + stop);
  }
  return 0;
}
