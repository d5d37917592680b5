// Tests that every error of a program is found when each lies on its own path.
// paths: 1
#include <klee/klee.h>
#include <stdlib.h>

static int zero, *null;

int main(void) {
  int *heap = malloc(4);
  *heap = 1;
  switch (klee_range(0, 7, "which")) {
  case 0:
    return *null; //~ ptr: null pointer
  case 1:
    return 7 / zero; //~ div: division by zero
  case 2:
    free(heap);
    return *heap; //~ ptr: use after free
  case 3:
    return heap[1]; //~ ptr: out of bounds
  case 4:
    abort(); //~ abort: abort called
  case 5:
    klee_assert(*heap == 2); //~ assert: assertion failed
    break;
  default:
    break;
  }
  free(heap);
  return 0;
}
