// A pool of nodes with a free list, under 36 allocations and releases in any order: the free and used nodes add up.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define NODES 4
#define STEPS 36

struct node {
  struct node *next;
};

static struct node *free_list;
static struct node *used_list;
static int used;

static int take(void) {
  struct node *n = free_list;
  if (!n)
    return 0;
  free_list = n->next;
  n->next = used_list;
  used_list = n;
  used++;
  return 1;
}

static int give(void) {
  struct node *n = used_list;
  if (!n)
    return 0;
  used_list = n->next;
  n->next = free_list;
  free_list = n;
  used--;
  return 1;
}

static int length(const struct node *list) {
  int n = 0;
  for (; list; list = list->next)
    n++;
  return n;
}

int main(void) {
  struct node *pool = calloc(NODES, sizeof *pool);
  if (!pool)
    return 1;
  for (int i = 0; i < NODES; i++) {
    pool[i].next = free_list;
    free_list = &pool[i];
  }
  int failed = 0;
  for (int i = 0; i < STEPS; i++) {
    int ok = __VERIFIER_nondet_int() > 0 ? take() : give();
    if (!ok)
      failed = 1;
    if (length(used_list) != used)
      reach_error(); // expect: unreachable
    if (length(free_list) + used != NODES)
      reach_error(); // expect: unreachable
  }
  if (!failed && used == 3) // an even number of steps
    reach_error(); // expect: unreachable
  if (!failed && used == NODES)
    reach_error(); // expect: reachable
  if (used == 1)
    reach_error(); // expect: reachable
  free(pool);
  return 0;
}
