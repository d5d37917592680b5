// A tool with lists of ranges, as cut: one function reads the lists of bytes, characters and
// fields. Those of bytes and characters are put in order before they are used; those of fields only
// if no delimiter was given.
// The target is the assertion in select_ranges: a range that begins after its end.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

#define ARGUMENTS 6
#define LENGTH 9
#define RANGES 3

struct range {
  int low, high;
};

static char arguments[ARGUMENTS][LENGTH];
static struct range ranges[RANGES];
static int count;
static volatile int selected;

static int read_number(const char **text) {
  int value = 0;
  for (; **text >= '0' && **text <= '9'; (*text)++)
    value = value * 10 + **text - '0';
  return value;
}

// Reads LOW-HIGH or NUMBER, with commas between; 0 if it is something else.
static int read_list(const char *text) {
  count = 0;
  while (*text && count < RANGES) {
    struct range *range = &ranges[count++];
    range->low = read_number(&text);
    range->high = range->low;
    if (*text == '-') {
      text++;
      range->high = read_number(&text);
    }
    if (range->low == 0 || range->high == 0)
      return 0;
    if (*text == ',')
      text++;
    else if (*text)
      return 0;
  }
  return count > 0;
}

static void order_ranges(void) {
  for (int i = 0; i < count; i++) {
    if (ranges[i].low > ranges[i].high) {
      int low = ranges[i].low;
      ranges[i].low = ranges[i].high;
      ranges[i].high = low;
    }
  }
}

static void select_ranges(void) {
  for (int i = 0; i < count; i++) {
    assert(ranges[i].low <= ranges[i].high);
    selected += ranges[i].high - ranges[i].low + 1;
  }
}

int main(void) {
  klee_make_symbolic(arguments, sizeof arguments, "arguments");
  for (int i = 0; i < ARGUMENTS; i++)
    klee_assume(arguments[i][LENGTH - 1] == 0);

  char delimiter = '\t', kind = 0;
  int has_delimiter = 0;
  for (int at = 0; at < ARGUMENTS; at++) {
    const char *argument = arguments[at];
    if (argument[0] != '-')
      break;
    switch (argument[1]) {
    case 'b':
    case 'c':
    case 'f':
      if (kind || at + 1 == ARGUMENTS || !read_list(arguments[at + 1]))
        return 1;
      kind = argument[1];
      at++;
      break;
    case 'd':
      if (argument[2] == 0 || argument[3] != 0)
        return 1;
      delimiter = argument[2];
      has_delimiter = 1;
      break;
    default:
      return 1;
    }
  }
  if (!kind)
    return 1;
  if (kind == 'b' || kind == 'c') {
    if (has_delimiter)
      return 1;
    order_ranges();
    select_ranges();
    return 0;
  }
  if (!has_delimiter)
    order_ranges();
  if (delimiter == ',')
    return 1;
  select_ranges();
  return 0;
}
