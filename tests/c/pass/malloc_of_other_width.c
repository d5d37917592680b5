// A size of another width than that of `size_t`, on a declaration of the program's own.
// symbolic-only
#include <klee/klee.h>

extern void *malloc(unsigned size);

int main(void) {
  unsigned size = klee_range(1, 100, "size");
  char *block = malloc(size);
  if (!block)
    return 1;
  block[size - 1] = 1;
  return 0;
}
