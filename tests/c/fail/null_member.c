// Tests a member access at a non-zero offset from a null struct pointer.
// paths: 1
#include <klee/klee.h>
#include <stddef.h>

struct node {
  int v[4];
  struct node *next;
};

int main(void) {
  struct node b = {{2}, NULL}, a = {{1}, &b};
  int hops = klee_range(0, 2, "hops");
  struct node *n = a.next;
  if (hops == 1)
    n = n->next;
  return n->v[3]; //~ ptr: null pointer
}
