// Tests klee_check_memory_access with a size that the first path has bounded.
#include <klee/klee.h>

int main(void) {
  char a[2] = {1, 2};
  int size = klee_range(1, 4, "size"), n = 0;
  if (klee_int("a") > 0)
    klee_assume(size < 3);
  if (klee_int("b") > 0)
    n = 1;
  klee_check_memory_access(a, (size_t)size); //~ ptr: out of bounds
  return n + a[1];
}
