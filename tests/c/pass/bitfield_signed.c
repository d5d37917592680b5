// Tests sign extension of signed bit-fields and truncation on store.
// paths: 1
#include <assert.h>

struct s {
  int a : 3;
  int b : 7;
  signed char c : 4;
};

int main(void) {
  struct s x = {0, 0, 0};
  int seven = 7, big = 200;
  x.a = seven;
  assert(x.a == -1);
  x.b = big;
  assert(x.b == -56);
  x.c = 6;
  x.c += 6;
  assert(x.c == -4);
  assert(x.a == -1);
  return 0;
}
