// Tests phi nodes that exchange values around a loop: they must be read before any is written.
// paths: 1
#include <assert.h>

int main(void) {
  int a = 1, b = 2, c = 3;
  for (int i = 0; i < 7; i++) {
    int t = a;
    a = b;
    b = c;
    c = t;
  }
  assert(a == 2);
  assert(b == 3);
  assert(c == 1);
  unsigned f0 = 0, f1 = 1;
  for (int i = 0; i < 30; i++) {
    unsigned n = f0 + f1;
    f0 = f1;
    f1 = n;
  }
  assert(f0 == 832040);
  return 0;
}
