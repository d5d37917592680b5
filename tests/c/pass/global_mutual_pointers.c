// Tests globals whose initialisers point at each other and at functions.
// paths: 1
#include <assert.h>

struct node {
  struct node *peer;
  int (*fn)(void);
  int v;
};
static int seven(void) { return 7; }
static int eight(void) { return 8; }
extern struct node right;
struct node left = {&right, seven, 1};
struct node right = {&left, eight, 2};

int main(void) {
  assert(left.peer->v == 2);
  assert(left.peer->peer == &left);
  assert(right.peer->fn() == 7);
  assert(left.peer->fn() == 8);
  return 0;
}
