// Symbolic benchmark: 16 independent input bytes, one branch each: 65536 paths, all complete.
// paths: 65536
#include <klee/klee.h>

#ifndef SCALE
#define SCALE 16
#endif

int main(void) {
  unsigned char in[SCALE];
  klee_make_symbolic(in, sizeof in, "in");
  unsigned n = 0;
  for (int i = 0; i < SCALE; i++) {
    if (in[i] > 100)
      n++;
  }
  klee_assert(n <= SCALE);
  return 0;
}
