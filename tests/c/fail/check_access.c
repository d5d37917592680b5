// Tests klee_check_memory_access on a range that ends outside the object.
// paths: 1
#include <klee/klee.h>

int main(void) {
  char buf[8] = {0};
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  size_t n = 8;
  if (c == 1)
    n = 9;
  klee_check_memory_access(buf, n); //~ ptr: out of bounds
  return buf[0];
}
