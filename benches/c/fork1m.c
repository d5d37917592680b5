// Symbolic benchmark: 1 MiB of initialised memory, then 12 branches that each write one byte of it: 4096 paths.
// paths: 4096
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

#ifndef SCALE
#define SCALE 12
#endif
#define HALF (512 * 1024)

static unsigned char global[HALF] = {[0 ... HALF - 1] = 0x33};

int main(void) {
  unsigned char *heap = malloc(HALF);
  memset(heap, 0x55, HALF);
  unsigned char in[SCALE];
  klee_make_symbolic(in, sizeof in, "in");
  unsigned taken = 0;
  for (unsigned i = 0; i < SCALE; i++) {
    unsigned at = i * 40961u % HALF;
    unsigned char *half = i % 2 ? heap : global;
    if (in[i] & 1) {
      half[at] = 255;
      taken++;
    } else {
      half[at] = 0;
    }
  }
  unsigned seen = 0;
  for (unsigned i = 0; i < SCALE; i++) {
    unsigned char *half = i % 2 ? heap : global;
    seen += half[i * 40961u % HALF] == 255;
  }
  klee_assert(seen == taken);
  free(heap);
  return 0;
}
