// Tests a struct whose fields two paths fill differently; the one that differs is read after two forks.
#include <klee/klee.h>

struct item {
  char kind;
  short size;
  int rest;
};

int main(void) {
  struct item it = {1, 0, 0};
  int n = 0;
  if (klee_int("a") > 0)
    it.size = 1;
  if (klee_int("b") > 0)
    it.rest = 5;
  if (klee_int("c") > 0)
    n = it.kind;
  struct item copy = it;
  return n + 10 / (copy.size + copy.rest); //~ div: division by zero
}
