// A tool with printf-like formats, as seq and date: one function finds the directive in a text.
// Separators and terminators are known to have none or a whole one; a format is not looked at, so
// that it may end in a percent sign.
// The target is the assertion in find_directive: it would read past the end.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

#define ARGUMENTS 6
#define LENGTH 9

static char arguments[ARGUMENTS][LENGTH];
static volatile int printed;

// Where the first directive begins; the length of the text if it has none. "%%" is none.
static unsigned find_directive(const char *text) {
  unsigned at = 0, length = strlen(text);
  for (;;) {
    if (text[at] == 0)
      return length;
    if (text[at] == '%') {
      if (text[at + 1] != '%')
        break;
      at++;
    }
    at++;
  }
  unsigned begin = at++;
  while (text[at] == '-' || text[at] == '+' || text[at] == '0' || text[at] == ' ')
    at++;
  while (text[at] >= '0' && text[at] <= '9')
    at++;
  if (text[at] == '.') {
    do
      at++;
    while (text[at] >= '0' && text[at] <= '9');
  }
  assert(at < length);
  return begin;
}

// Whether each percent sign is followed by a letter or another one.
static int is_whole(const char *text) {
  for (; *text; text++) {
    if (*text != '%')
      continue;
    text++;
    if (*text != '%' && *text != 'f' && *text != 'g')
      return 0;
  }
  return 1;
}

int main(void) {
  klee_make_symbolic(arguments, sizeof arguments, "arguments");
  for (int i = 0; i < ARGUMENTS; i++)
    klee_assume(arguments[i][LENGTH - 1] == 0);

  const char *format = NULL;
  int at = 0, equal_width = 0;
  for (; at + 1 < ARGUMENTS && arguments[at][0] == '-'; at++) {
    const char *option = arguments[at];
    if (option[1] == 0 || option[2] != 0)
      return 1;
    switch (option[1]) {
    case 's':
    case 't':
      at++;
      if (!is_whole(arguments[at]))
        return 1;
      printed += find_directive(arguments[at]);
      break;
    case 'f':
      format = arguments[++at];
      break;
    case 'w':
      equal_width = 1;
      break;
    default:
      return 1;
    }
  }
  int last = 0;
  if (at < ARGUMENTS) {
    for (const char *digit = arguments[at]; *digit; digit++) {
      if (*digit < '0' || *digit > '9')
        return 1;
      last = last * 10 + *digit - '0';
    }
  }
  if (last < 10)
    return 0;
  if (format) {
    if (equal_width)
      return 1;
    printed += find_directive(format);
  }
  return 0;
}
