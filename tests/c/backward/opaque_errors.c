// Accesses through pointers from outside that fail, or do not.

#include <stdlib.h>

void hit(void) {}

struct item {
  int count, large[4];
  int *last;
  struct item *next;
};
static int next_of(struct item *item) {
  return item->next->count; // null: reachable
}
static int last_of(struct item *item) {
  if (!item || !item->last)
    return 0;
  return *item->last; // null: unreachable, cut
}
static int again(struct item *item, int **other) {
  if (!item->last)
    return 0;
  *other = 0;
  return *item->last; // null: reachable
}
static int share(struct item *item, int sum) {
  if (item->count == 0)
    return 0;
  sum /= item->count; // div: unreachable, cut
  *item->last = 0;
  return sum / item->count; // div: reachable
}
static int element(int *numbers, int i) {
  return numbers[i & 7]; // bounds: reachable
}
static int element_of(struct item *item, int i) {
  int mine[4] = {1, 2, 3, 4};
  item->large[0] = 2;
  return mine[i & 3]; // bounds: unreachable, cut
}
static int stale(int *p) {
  if (!p)
    return 0;
  return *p; // freed: reachable
}
int main(void) {
  int few[4] = {0}, spare = 0;
  struct item item = {4, {0}, &spare, 0}, other = {3, {0}, &spare, &item};
  last_of(0);
  last_of(&item);
  share(&item, 3);
  again(&other, (int **)&item.next);
  element_of(&item, few[1]);
  int which;
  void klee_make_symbolic(void *, unsigned long, const char *);
  klee_make_symbolic(&which, sizeof which, "which");
  if (which == 1)
    again(&item, &item.last);
  if (which == 2) {
    item.last = &item.count;
    share(&item, 3);
  }
  if (which == 3)
    next_of(&item);
  if (which == 5) {
    int *old = malloc(sizeof *old);
    free(old);
    stale(old);
  }
  if (which == 4)
    element(few, 6);
  return 0;
}
