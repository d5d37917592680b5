// Jumps out of functions, back into them, and past those that called them.
#include <setjmp.h>

void hit(void) {}

struct reader {
  jmp_buf out;
  int depth, value;
};
static jmp_buf here;
static int tries;
static void fail(struct reader *reader, int code) {
  reader->value = code;
  longjmp(reader->out, 1);
}
static int checked(struct reader *reader, int value) {
  if (value > 9)
    fail(reader, value);
  if (value > 9)
    hit(); // unreachable, cut
  return value;
}
static void again(int value) {
  tries++;
  longjmp(here, value);
}
static int repeats(int value) {
  int code = setjmp(here);
  if (code == 0)
    again(value);
  if (code == 3)
    hit(); // reachable
  if (tries == 0)
    hit(); // unreachable
  return code;
}
static void jumps_into_the_caller(int code) {
  tries = code;
  longjmp(here, 5);
}
static void from_below(struct reader *reader, int depth) {
  if (depth == 0)
    fail(reader, 4);
  int code = setjmp(here);
  if (code == 5)
    hit(); // reachable
  if (code == 0 && depth == 2)
    jumps_into_the_caller(4);
  if (code == 0)
    from_below(reader, depth - 1);
}
int main(void) {
  static struct reader reader;
  if (!setjmp(reader.out)) {
    checked(&reader, 3);
    checked(&reader, 12);
  } else if (reader.value == 12) {
    reader.value = 0;
    tries = 1;
    repeats(3);
    from_below(&reader, 2);
    if (setjmp(reader.out) == 0)
      from_below(&reader, 1);
  }
  return 0;
}
