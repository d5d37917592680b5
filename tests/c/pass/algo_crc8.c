// Tests a bitwise CRC of one symbolic byte computed in two ways.
// paths: 256
#include <assert.h>
#include <klee/klee.h>

static unsigned char by_branch(unsigned char x) {
  for (int i = 0; i < 8; i++) {
    if (x & 0x80)
      x = (unsigned char)((x << 1) ^ 0x07);
    else
      x = (unsigned char)(x << 1);
  }
  return x;
}
static unsigned char by_mask(unsigned char x) {
  for (int i = 0; i < 8; i++) {
    unsigned char top = (unsigned char)-(x >> 7);
    x = (unsigned char)((x << 1) ^ (top & 0x07));
  }
  return x;
}

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  assert(by_branch(x) == by_mask(x));
  return 0;
}
