// A tool that makes special files, as mknod: names are quoted by one function with a buffer of
// fixed size, for four messages. The first three give it names that were found to be short; the one
// for a device's numbers, after the mode and the type were read, does not look.
// The target is the assertion in quote.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

#define ARGUMENTS 6
#define LENGTH 9
#define ROOM 11

static char arguments[ARGUMENTS][LENGTH];
static char quoted[ROOM];
static volatile int messages;

// Quotes as a shell would read it: special characters get a backslash.
static const char *quote(const char *text) {
  int length = 0;
  quoted[length++] = '\'';
  for (; *text; text++) {
    switch (*text) {
    case '\'':
    case '\\':
    case '\n':
      assert(length < ROOM - 3);
      quoted[length++] = '\\';
      quoted[length++] = *text;
      break;
    default:
      if (length < ROOM - 3)
        quoted[length++] = *text;
    }
  }
  quoted[length++] = '\'';
  quoted[length] = 0;
  return quoted;
}

static int complain(const char *text) {
  messages += quote(text)[0];
  return 1;
}

static int is_short(const char *text) {
  return strlen(text) <= 2;
}

static int is_number(const char *text) {
  if (!*text)
    return 0;
  for (; *text; text++) {
    if (*text < '0' || *text > '9')
      return 0;
  }
  return 1;
}

int main(void) {
  klee_make_symbolic(arguments, sizeof arguments, "arguments");
  for (int i = 0; i < ARGUMENTS; i++)
    klee_assume(arguments[i][LENGTH - 1] == 0);

  int at = 0, mode = 0;
  while (at < ARGUMENTS && arguments[at][0] == '-') {
    const char *option = arguments[at++];
    if (option[1] == 'm' && !option[2] && at < ARGUMENTS) {
      const char *text = arguments[at++];
      for (; *text >= '0' && *text <= '7'; text++)
        mode = mode * 8 + *text - '0';
      if (*text)
        return is_short(text) ? complain(text) : 1;
    } else {
      return is_short(option) ? complain(option) : 1;
    }
  }
  if (ARGUMENTS - at < 2)
    return 1;
  const char *name = arguments[at], *type = arguments[at + 1];
  if (!*name)
    return is_short(type) ? complain(type) : 1;

  switch (type[0]) {
  case 'b':
  case 'c':
    if (ARGUMENTS - at < 4 || mode == 0 || !is_number(arguments[at + 2]))
      return 1;
    if (!is_number(arguments[at + 3]))
      return complain(arguments[at + 3]);
    return 0;
  case 'p':
    return mode > 0777;
  default:
    return is_short(type) ? complain(type) : 1;
  }
}
