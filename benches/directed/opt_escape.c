// A tool with escapes in its options, as ptx and paste: one function copies texts and takes escapes
// apart. For the texts of the first two options a backslash in the end was refused before; for a
// truncation mark it was not, and that is only copied if references are asked for.
// The target is the assertion in unescape: what follows the backslash is beyond the end.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

#define ARGUMENTS 6
#define LENGTH 9

static char arguments[ARGUMENTS][LENGTH];
static char copy[LENGTH];

static int hexadecimal(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return -1;
}

static void unescape(const char *text) {
  const char *end = text + strlen(text);
  char *out = copy;
  while (*text) {
    if (*text != '\\') {
      *out++ = *text++;
      continue;
    }
    text++;
    assert(text < end);
    switch (*text) {
    case 'n':
      *out++ = '\n';
      break;
    case 't':
      *out++ = '\t';
      break;
    case 'x':
      if (hexadecimal(text[1]) >= 0) {
        text++;
        *out++ = (char)hexadecimal(*text);
      }
      break;
    default:
      *out++ = *text;
    }
    text++;
  }
  *out = 0;
}

static int ends_in_backslash(const char *text) {
  unsigned length = strlen(text);
  return length > 0 && text[length - 1] == '\\';
}

int main(void) {
  klee_make_symbolic(arguments, sizeof arguments, "arguments");
  for (int i = 0; i < ARGUMENTS; i++)
    klee_assume(arguments[i][LENGTH - 1] == 0);

  const char *mark = NULL;
  int references = 0, folds = 0;
  for (int at = 0; at < ARGUMENTS && arguments[at][0] == '-'; at++) {
    const char *option = arguments[at];
    if (option[1] == 0 || option[2] != 0)
      return 1;
    switch (option[1]) {
    case 'S':
    case 'W':
      if (++at == ARGUMENTS || ends_in_backslash(arguments[at]))
        return 1;
      unescape(arguments[at]);
      break;
    case 'F':
      if (++at == ARGUMENTS)
        return 1;
      mark = arguments[at];
      break;
    case 'A':
    case 'r':
      references++;
      break;
    case 'f':
      folds = 1;
      break;
    default:
      return 1;
    }
  }
  if (mark && references == 2 && !folds)
    unescape(mark);
  return 0;
}
