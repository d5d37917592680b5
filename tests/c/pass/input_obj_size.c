// Tests klee_get_obj_size and klee_is_replay under the engine.
// paths: 1
// symbolic-only
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

static short table[5];

int main(void) {
  char local[7] = {0};
  char *heap = malloc(33);
  assert(klee_get_obj_size(local) == 7);
  assert(klee_get_obj_size(heap) == 33);
  assert(klee_get_obj_size(table) == 10);
  assert(klee_is_replay() == 0);
  free(heap);
  return 0;
}
