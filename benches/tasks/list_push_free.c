// A list of up to ten nodes, with values by inputs: it is summed, reversed and freed; the sums and lengths agree.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    exit(1);
  n->value = value;
  n->next = list;
  return n;
}

static struct node *reverse(struct node *list) {
  struct node *result = NULL;
  while (list) {
    struct node *next = list->next;
    list->next = result;
    result = list;
    list = next;
  }
  return result;
}

int main(void) {
  struct node *list = NULL;
  int length = 0;
  while (length < 10 && __VERIFIER_nondet_int() != 0) {
    list = push(list, length);
    length++;
  }
  list = reverse(list);
  int position = 0;
  for (struct node *n = list; n; n = n->next) {
    if (n->value != position)
      reach_error(); // expect: unreachable
    position++;
  }
  if (position != length)
    reach_error(); // expect: unreachable
  if (position == 10)
    reach_error(); // expect: reachable
  if (length == 0)
    reach_error(); // expect: reachable
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
