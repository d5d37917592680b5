// Fig. 2 of "Directed symbolic execution" (Ma, Khoo, Foster, Hicks, 2011) as printed: the target is
// near in the graph, but on one of very many paths, and cannot be reached any more once the
// arguments are read. Distances find it at once; coverage leads into the loop at the end.
// The target is the assertion in main: the fifth argument 'b'.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

#define MAX_ARGC 16

static volatile int work;

// Some expensive function.
static void foo(void) {
  for (int i = 0; i < 1000; i++)
    work++;
}

static char get_input(void) {
  char c;
  klee_make_symbolic(&c, sizeof c, "input");
  return c;
}

int main(void) {
  int argc;
  char argv[MAX_ARGC][1];
  klee_make_symbolic(&argc, sizeof argc, "argc");
  klee_make_symbolic(argv, sizeof argv, "argv");
  klee_assume(argc >= 0);
  klee_assume(argc <= MAX_ARGC);
  int i, n = 0, b[4] = {0, 0, 0, 0};
  for (i = 0; i < argc; i++) {
    if (*argv[i] == 'b') {
      assert(n < 4);
      b[n++] = 1; // a potential overflow
    } else {
      foo();
    }
  }
  while (1) {
    if (get_input())
      work += b[0];
  }
  return 0;
}
