// A parser of `digit operator digit` that divides without looking.
// options: --search=dfs
// completed paths = 5
// partially completed paths = 1
// generated tests = 6
#include <klee/klee.h>

static int digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : -1;
}

static int calculate(int left, char operator, int right) {
  switch (operator) {
  case '+':
    return left + right;
  case '/':
    return left / right; //~ divide by zero
  default:
    return -1;
  }
}

int main(void) {
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[0] == '7');
  int left = digit(text[0]);
  int right = digit(text[2]);
  if (right < 0)
    return 1;
  return calculate(left, text[1], right);
}
