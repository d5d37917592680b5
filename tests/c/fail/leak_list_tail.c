// Tests freeing only the head of a list: the rest leaks.
// options: --check-leaks
#include <stdlib.h>

struct node {
  struct node *next;
};

static void run(void) {
  struct node *head = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n); //~ leak: memory leak
    n->next = head;
    head = n;
  }
  free(head);
  head = NULL;
}

int main(void) {
  run();
  return 0;
}
