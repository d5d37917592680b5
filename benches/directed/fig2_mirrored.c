// Fig. 2 with its branches the other way round, so that the first side is never the one that leads
// to the target, and with a foo that forks: what depth first finds in fig2.c it finds by luck.
// The target is the assertion in main: the fifth argument 'b'.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

#define MAX_ARGC 16

static volatile int work;

static char get_input(void) {
  char c;
  klee_make_symbolic(&c, sizeof c, "input");
  return c;
}

// Some function with eight paths.
static void foo(char argument) {
  for (int bit = 0; bit < 3; bit++) {
    if (argument & (1 << bit))
      work++;
  }
}

int main(void) {
  int argc;
  char argv[MAX_ARGC][1];
  klee_make_symbolic(&argc, sizeof argc, "argc");
  klee_make_symbolic(argv, sizeof argv, "argv");
  klee_assume(argc >= 0);
  klee_assume(argc <= MAX_ARGC);
  int i, n = 0, b[4] = {0, 0, 0, 0};
  for (i = 0;; i++) {
    if (i >= argc)
      break;
    if (*argv[i] != 'b') {
      foo(*argv[i]);
    } else {
      assert(n < 4);
      b[n++] = 1;
    }
  }
  while (1) {
    if (get_input())
      work += b[0];
  }
  return 0;
}
