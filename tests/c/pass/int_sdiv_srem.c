// Tests that signed division truncates toward zero and the remainder takes the dividend's sign.
// paths: 1
#include <assert.h>

int main(void) {
  int a = 7, b = -7, c = 2, d = -2;
  assert(a / c == 3);
  assert(a % c == 1);
  assert(b / c == -3);
  assert(b % c == -1);
  assert(a / d == -3);
  assert(a % d == 1);
  assert(b / d == 3);
  assert(b % d == -1);
  return 0;
}
