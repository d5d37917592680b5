// Tests an error inside an atexit handler.
// paths: 1
#include <klee/klee.h>
#include <stdlib.h>

static int state;
static void at_end(void) {
  if (state == 2)
    abort(); //~ abort: abort called
}

int main(void) {
  atexit(at_end);
  state = klee_int("state");
  return 0;
}
