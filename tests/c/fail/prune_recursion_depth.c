// Tests recursion whose depth depends on the input, with an array in each frame: depth 4 writes beyond it.
#include <klee/klee.h>

static int down(int depth) {
  char room[4] = {0, 0, 0, 0};
  int n = 0;
  if (klee_int("stop") > 0)
    return depth;
  if (depth < 5)
    n = down(depth + 1);
  room[depth > 4 ? 0 : depth] = 1; //~ ptr: out of bounds
  return n + room[0];
}

int main(void) { return down(0); }
