// Tests klee_check_memory_access on valid ranges.
// paths: 1
#include <klee/klee.h>
#include <stdlib.h>

static int table[4];

int main(void) {
  char local[8] = {0};
  char *heap = calloc(1, 16);
  klee_check_memory_access(local, sizeof local);
  klee_check_memory_access(heap + 10, 6);
  klee_check_memory_access(&table[1], 12);
  free(heap);
  return 0;
}
