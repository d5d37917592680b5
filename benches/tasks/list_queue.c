// A first-in, first-out queue of nodes with sequence numbers: 18 operations; what leaves comes in order.
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define OPERATIONS 18

struct node {
  int number;
  struct node *next;
};

static struct node *head;
static struct node **end = &head;

static void put(int number) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    exit(1);
  n->number = number;
  n->next = NULL;
  *end = n;
  end = &n->next;
}

static int get(void) {
  struct node *n = head;
  if (!n)
    return -1;
  int number = n->number;
  head = n->next;
  if (!head)
    end = &head;
  free(n);
  return number;
}

int main(void) {
  int sent = 0, received = 0, missed = 0;
  for (int i = 0; i < OPERATIONS; i++) {
    if (__VERIFIER_nondet_bool()) {
      put(sent++);
    } else {
      int number = get();
      if (number < 0)
        missed++;
      else if (number != received++)
        reach_error(); // expect: unreachable
    }
    if ((head == NULL) != (sent == received))
      reach_error(); // expect: unreachable
  }
  if (sent + received + missed != OPERATIONS)
    reach_error(); // expect: unreachable
  if (received == 9)
    reach_error(); // expect: reachable
  if (received > 9)
    reach_error(); // expect: unreachable
  if (missed == OPERATIONS)
    reach_error(); // expect: reachable
  while (get() >= 0)
    ;
  return 0;
}
