// Tests that several inputs with the same name are distinct objects.
// paths: 4
#include <klee/klee.h>

int main(void) {
  int n = 0;
  for (int i = 0; i < 2; i++) {
    unsigned char c;
    klee_make_symbolic(&c, sizeof c, "c");
    if (c > 100)
      n++;
  }
  klee_assert(n <= 2);
  return 0;
}
