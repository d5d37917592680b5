// Tests a switch that jumps into the middle of a loop.
// paths: 1
#include <assert.h>

static int copied(char *to, const char *from, int n) {
  int k = 0, rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      to[k] = from[k], k++;
      __attribute__((fallthrough));
    case 3:
      to[k] = from[k], k++;
      __attribute__((fallthrough));
    case 2:
      to[k] = from[k], k++;
      __attribute__((fallthrough));
    case 1:
      to[k] = from[k], k++;
    } while (--rounds > 0);
  }
  return k;
}

int main(void) {
  char out[12] = {0};
  assert(copied(out, "abcdefghijk", 11) == 11);
  assert(out[0] == 'a');
  assert(out[10] == 'k');
  assert(out[11] == 0);
  return 0;
}
