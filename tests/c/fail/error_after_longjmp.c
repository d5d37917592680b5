// Tests an error reached only after a longjmp.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <setjmp.h>

static jmp_buf env;
static void parse(int c) {
  if (c == '#')
    longjmp(env, 2);
}

int main(void) {
  int c = klee_int("c");
  int r = setjmp(env);
  if (r == 0)
    parse(c);
  assert(r != 2); //~ assert: assertion failed
  return 0;
}
