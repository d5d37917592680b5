// Tests a heap-allocated linked list: build, reverse, sum, free.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

struct node {
  unsigned char v;
  struct node *next;
};

int main(void) {
  unsigned char in[4];
  klee_make_symbolic(in, sizeof in, "in");
  struct node *head = NULL;
  for (int i = 0; i < 4; i++) {
    struct node *n = malloc(sizeof *n);
    n->v = in[i];
    n->next = head;
    head = n;
  }
  struct node *rev = NULL;
  while (head) {
    struct node *n = head;
    head = n->next;
    n->next = rev;
    rev = n;
  }
  for (int i = 0; rev; i++) {
    assert(rev->v == in[i]);
    struct node *n = rev->next;
    free(rev);
    rev = n;
  }
  return 0;
}
