// What is symbolic at an entry need not be so in the program.
#include <klee/klee.h>

void hit(void) {}

static void f(int x) {
  if (!klee_is_symbolic(x))
    hit(); // reachable
}
int main(void) {
  f(3);
  return 0;
}
