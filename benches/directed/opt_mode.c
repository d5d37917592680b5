// A tool with symbolic modes, as chmod: clauses such as u+rw,g=x are read by one function for the
// options of files and directories and for the operand. With an option, a clause without classes
// means all; for the operand it means none, and a bit that nobody gets fails.
// The target is the assertion in apply.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

#define ARGUMENTS 4
#define LENGTH 6

enum class { USER = 1, GROUP = 2, OTHER = 4, ALL = 7 };

static char arguments[ARGUMENTS][LENGTH];
static int file_mode, directory_mode;

static int apply(int mode, int classes, char operation, int bits) {
  assert(classes || operation != '=' || !bits);
  for (int shift = 0; shift < 3; shift++) {
    if (!(classes & (1 << shift)))
      continue;
    switch (operation) {
    case '+':
      mode |= bits << 3 * shift;
      break;
    case '-':
      mode &= ~(bits << 3 * shift);
      break;
    default:
      mode = (mode & ~(7 << 3 * shift)) | bits << 3 * shift;
    }
  }
  return mode;
}

// Applies clauses to a mode; -1 if the text has something else. Clauses without classes are for
// the `implied` ones.
static int change(int mode, const char *text, int implied) {
  for (;;) {
    int classes = 0, bits = 0;
    for (;; text++) {
      if (*text == 'u')
        classes |= USER;
      else if (*text == 'g')
        classes |= GROUP;
      else if (*text == 'o')
        classes |= OTHER;
      else if (*text == 'a')
        classes |= ALL;
      else
        break;
    }
    char operation = *text;
    if (operation != '+' && operation != '-' && operation != '=')
      return -1;
    for (text++;; text++) {
      if (*text == 'r')
        bits |= 4;
      else if (*text == 'w')
        bits |= 2;
      else if (*text == 'x')
        bits |= 1;
      else
        break;
    }
    mode = apply(mode, classes ? classes : implied, operation, bits);
    if (*text == 0)
      return mode;
    if (*text++ != ',')
      return -1;
  }
}

int main(void) {
  klee_make_symbolic(arguments, sizeof arguments, "arguments");
  for (int i = 0; i < ARGUMENTS; i++)
    klee_assume(arguments[i][LENGTH - 1] == 0);

  int at = 0;
  for (; at < ARGUMENTS && arguments[at][0] == '-'; at++) {
    const char *option = arguments[at];
    if (option[1] == 'F') {
      file_mode = change(file_mode, option + 2, ALL);
      if (file_mode < 0)
        return 1;
    } else if (option[1] == 'D') {
      directory_mode = change(directory_mode, option + 2, ALL);
      if (directory_mode < 0)
        return 1;
    } else {
      return 1;
    }
  }
  if (at == 0 || at == ARGUMENTS)
    return 1;
  if (directory_mode == 0)
    return 0;
  return change(file_mode, arguments[at], 0) < 0;
}
