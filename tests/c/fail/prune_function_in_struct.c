// Tests an indirect call through a heap object that one branch has filled with a null pointer.
#include <klee/klee.h>
#include <stdlib.h>

struct ops {
  int tag;
  int (*get)(void);
};
static int get(void) { return 3; }

int main(void) {
  struct ops *ops = malloc(sizeof *ops);
  int n = 0;
  ops->tag = 1;
  ops->get = 0;
  if (klee_int("a") > 0)
    ops->get = get;
  if (klee_int("b") > 0)
    n = 1;
  n += ops->get(); //~ ptr: invalid function pointer: call through a null pointer
  free(ops);
  return n;
}
