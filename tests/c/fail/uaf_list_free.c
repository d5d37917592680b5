// Tests freeing a list while reading the next pointer from the freed node.
// paths: 0
#include <stdlib.h>

struct node {
  struct node *next;
};

int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = head;
    head = n;
  }
  while (head) {
    free(head);
    head = head->next; //~ ptr: use after free
  }
  return 0;
}
