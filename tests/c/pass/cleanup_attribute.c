// Tests the cleanup attribute: handlers run in reverse order when a scope is left.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

static int trace;
static void note(int *p) { trace = trace * 10 + *p; }

static void scope(int early) {
  int a __attribute__((cleanup(note))) = 1;
  if (early > 0)
    return;
  int b __attribute__((cleanup(note))) = 2;
  (void)a;
  (void)b;
}

int main(void) {
  int early = klee_int("early");
  scope(early);
  if (early > 0)
    assert(trace == 1);
  else
    assert(trace == 21);
  return 0;
}
