// Fig. 2 in another spelling: pointers walk through the arguments and the buffer, a switch takes
// the place of the if, and the loop at the end is one of reading characters until there are none.
// The target is the assertion in main: the fifth argument 'b'.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

#define MAX_ARGC 16

static volatile int work;

// Some function with eight paths.
static void foo(char argument) {
  for (int bit = 0; bit < 3; bit++) {
    if (argument & (1 << bit))
      work++;
  }
}

static char get_input(void) {
  char c;
  klee_make_symbolic(&c, sizeof c, "input");
  return c;
}

int main(void) {
  char arguments[MAX_ARGC + 1], buffer[4] = {0, 0, 0, 0};
  klee_make_symbolic(arguments, sizeof arguments, "arguments");
  klee_assume(arguments[MAX_ARGC] == 0);
  char *next = buffer;
  for (const char *argument = arguments; *argument; argument++) {
    switch (*argument) {
    default:
      foo(*argument);
      break;
    case 'v':
      work = 0;
      break;
    case 'b':
      assert(next < buffer + sizeof buffer);
      *next++ = 1;
      break;
    }
  }
  for (char c = get_input(); c; c = get_input())
    work += c;
  return buffer[0];
}
