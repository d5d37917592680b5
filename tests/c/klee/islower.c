// Below the letters, a letter, above the letters: three paths.
// options: --search=bfs
// completed paths = 3
// partially completed paths = 0
// generated tests = 3
#include <klee/klee.h>

static int is_lower(int c) {
  if (c >= 'a' && c <= 'z')
    return 1;
  return 0;
}

int main(void) {
  char c;
  klee_make_symbolic(&c, sizeof c, "c");
  return is_lower(c);
}
