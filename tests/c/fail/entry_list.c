// A function run by itself: a list is made up as far as the function follows it, and the caller's objects may be freed.
// options: --entry=sum_and_drop --lazy-depth=3 --lazy-elements=1
// exit: 10
// symbolic-only
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int sum_and_drop(struct node *list, unsigned char limit) {
  int sum = 0;
  while (list) {
    struct node *next = list->next;
    sum += list->value & 15;
    free(list);
    list = next;
  }
  assert(sum != 30 || limit == 200); // two elements of 15 //~ assert
  assert(sum != 45); // three of 15 //~ assert
  assert(sum <= 45);
  return sum;
}

int main(void) { return 0; }
