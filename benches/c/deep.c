// One long path: each round forks, and one side ends.
#include <klee/klee.h>

#ifndef ROUNDS
#define ROUNDS 100000
#endif

int main(void) {
  for (int i = 0; i < ROUNDS; i++) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x == 7)
      return 1;
  }
  return 0;
}
