// Tests that an unbounded symbolic loop is cut by the depth limit and reported as incomplete.
// options: --max-depth 5
// exit: 5
// symbolic-only
#include <klee/klee.h>

int main(void) {
  for (;;) {
    char c;
    klee_make_symbolic(&c, sizeof c, "c");
    if (c == 'q')
      break;
  }
  return 0;
}
