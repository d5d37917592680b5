// A calculator with a stack of malloc'ed cells: 11 operations by inputs; errors are counted instead of popping too much.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define OPERATIONS 11

struct cell {
  int value;
  struct cell *below;
};

static struct cell *top;
static int depth;

static void push(int value) {
  struct cell *c = malloc(sizeof *c);
  if (!c)
    exit(1);
  c->value = value;
  c->below = top;
  top = c;
  depth++;
}

static int pop(void) {
  struct cell *c = top;
  int value = c->value;
  top = c->below;
  free(c);
  depth--;
  return value;
}

int main(void) {
  int errors = 0;
  for (int i = 0; i < OPERATIONS; i++) {
    int operation = __VERIFIER_nondet_int();
    if (operation == 0) {
      push(1);
    } else if (operation == 1) {
      push(3);
    } else if (depth < 2) {
      errors++;
    } else if (operation == 2) {
      push(pop() + pop());
    } else {
      push(pop() * pop());
    }
  }
  int result = depth > 0 ? top->value : 0;
  if (depth + errors > OPERATIONS)
    reach_error(); // expect: unreachable
  if (errors == OPERATIONS && top)
    reach_error(); // expect: unreachable
  if (depth == 1 && errors == 0 && result == 36) // 3 * 3 * (3 + 1) * 1 * 1
    reach_error(); // expect: reachable
  if (depth == 1 && errors == 0 && result == 84)
    reach_error(); // expect: reachable
  if (depth == 1 && result > 729)
    reach_error(); // expect: unreachable
  if (depth == OPERATIONS)
    reach_error(); // expect: reachable
  while (top)
    pop();
  return 0;
}
