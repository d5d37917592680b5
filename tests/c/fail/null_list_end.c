// Tests walking one step too far along a list.
// paths: 4
#include <klee/klee.h>
#include <stddef.h>

struct node {
  int v;
  struct node *next;
};

int main(void) {
  struct node c = {3, NULL}, b = {2, &c}, a = {1, &b};
  int steps = klee_range(0, 5, "steps");
  struct node *n = &a;
  int sum = 0;
  for (int i = 0; i < steps; i++) {
    sum += n->v; //~ ptr: null pointer
    n = n->next;
  }
  klee_assert(sum <= 6);
  return 0;
}
