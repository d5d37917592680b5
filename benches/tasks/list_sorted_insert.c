// Seven values are inserted into a sorted list; the list is ordered, and as long as there were different values.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 7

struct node {
  int value;
  struct node *next;
};

static int insert(struct node **list, int value) {
  while (*list && (*list)->value < value)
    list = &(*list)->next;
  if (*list && (*list)->value == value)
    return 0;
  struct node *n = malloc(sizeof *n);
  if (!n)
    exit(1);
  n->value = value;
  n->next = *list;
  *list = n;
  return 1;
}

int main(void) {
  struct node *list = NULL;
  int inserted = 0;
  for (int i = 0; i < N; i++)
    inserted += insert(&list, __VERIFIER_nondet_int());
  int length = 0;
  for (struct node *n = list; n; n = n->next) {
    if (n->next && n->value >= n->next->value)
      reach_error(); // expect: unreachable
    length++;
  }
  if (length != inserted)
    reach_error(); // expect: unreachable
  if (length == 2 && list->value == -4 && list->next->value == 4)
    reach_error(); // expect: reachable
  if (length == 0)
    reach_error(); // expect: unreachable
  if (length == 7)
    reach_error(); // expect: reachable
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
