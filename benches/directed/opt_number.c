// A tool with numbers in its options, as head and fold: one function reads them all, with a suffix
// that multiplies. Widths and counts are looked at first, so that no number of theirs is too large;
// a skip count in blocks is not, and it is only read after a width of 3 and a count of 80.
// The target is the assertion in parse_number.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

#define ARGUMENTS 6
#define LENGTH 9
#define LARGEST 100000

static char arguments[ARGUMENTS][LENGTH];

// The number at the beginning of a text; -1 if there is none.
static long parse_number(const char *text) {
  long value = 0;
  if (*text < '0' || *text > '9')
    return -1;
  for (; *text >= '0' && *text <= '9'; text++)
    value = value * 10 + *text - '0';
  switch (*text) {
  case 0:
    break;
  case 'b':
    value *= 512;
    break;
  case 'k':
    value *= 1000;
    break;
  default:
    return -1;
  }
  assert(value <= LARGEST);
  return value;
}

// At most two digits and nothing else.
static int is_plain(const char *text) {
  int digits = 0;
  for (; *text >= '0' && *text <= '9'; text++)
    digits++;
  return !*text && digits <= 2;
}

int main(void) {
  klee_make_symbolic(arguments, sizeof arguments, "arguments");
  for (int i = 0; i < ARGUMENTS; i++)
    klee_assume(arguments[i][LENGTH - 1] == 0);

  long width = 0, count = 0, skip = 0;
  for (int at = 0; at < ARGUMENTS; at++) {
    const char *argument = arguments[at];
    if (argument[0] != '-')
      continue;
    switch (argument[1]) {
    case 'w':
      if (!is_plain(argument + 2))
        return 1;
      width = parse_number(argument + 2);
      break;
    case 'n':
      if (!is_plain(argument + 2))
        return 1;
      count = parse_number(argument + 2);
      break;
    case 'j':
      if (width != 3 || count != 80)
        return 1;
      if (at + 1 < ARGUMENTS)
        skip = parse_number(arguments[++at]);
      break;
    default:
      return 1;
    }
    if (width < 0 || count < 0 || skip < 0)
      return 1;
  }
  return 0;
}
