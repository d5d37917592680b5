// KLEE's first tutorial in our words: the sign of a number has three paths.
// options: --search=dfs
// completed paths = 3
// partially completed paths = 0
// generated tests = 3
#include <klee/klee.h>

static int sign_of(int number) {
  if (number == 0)
    return 0;
  if (number < 0)
    return -1;
  return 1;
}

int main(void) {
  int number;
  klee_make_symbolic(&number, sizeof number, "number");
  return sign_of(number);
}
