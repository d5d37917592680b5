// Tests compound assignment operators, including those that narrow the result.
// paths: 1
#include <assert.h>

int main(void) {
  int a = 10;
  a += 5;
  a -= 3;
  a *= 4;
  a /= 6;
  assert(a == 8);
  a %= 5;
  a <<= 4;
  a >>= 1;
  assert(a == 24);
  a &= 0x1c;
  a |= 0x100;
  a ^= 0x3;
  assert(a == 0x11b);
  unsigned char c = 200;
  c += 100;
  assert(c == 44);
  c *= 10;
  assert(c == 184);
  short s = -5;
  s *= 2.5;
  assert(s == -12);
  return 0;
}
