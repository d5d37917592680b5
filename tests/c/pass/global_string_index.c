// Tests a constant string with embedded zeros addressed through a table of offsets.
// paths: 1
#include <assert.h>
#include <stdint.h>

static const char text[] = "zero\0one\0two";
static const struct {
  const char *base;
  uint8_t at[3];
} index_of = {text, {0, 5, 9}};
static const long span = (long)sizeof text;

int main(void) {
  assert(index_of.base[index_of.at[1]] == 'o');
  assert(index_of.base[index_of.at[2]] == 't');
  const char *last = &text[sizeof text - 1];
  assert(last - index_of.base == span - 1);
  assert(*last == 0);
  return 0;
}
