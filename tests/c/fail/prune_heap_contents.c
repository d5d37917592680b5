// Tests a list that two paths have built with other contents at the same addresses.
#include <klee/klee.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *next, int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = next;
  return node;
}

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++)
    list = push(list, klee_int("x") > 0 ? 1 : 0);
  int sum = 0;
  while (list) {
    struct node *next = list->next;
    sum += list->value;
    free(list);
    list = next;
  }
  klee_assert(sum != 0); //~ assert: assertion failed
  return sum;
}
