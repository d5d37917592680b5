// A cache of four entries in a list, the last used first: 24 accesses move entries to the front; none is lost.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define ENTRIES 4
#define ACCESSES 24

struct entry {
  int key;
  struct entry *next;
};

static struct entry *head;

static int touch(int key) {
  for (struct entry **link = &head; *link; link = &(*link)->next) {
    if ((*link)->key == key) {
      struct entry *e = *link;
      *link = e->next;
      e->next = head;
      head = e;
      return 1;
    }
  }
  return 0;
}

int main(void) {
  for (int key = 0; key < ENTRIES; key++) {
    struct entry *e = malloc(sizeof *e);
    if (!e)
      exit(1);
    e->key = key;
    e->next = head;
    head = e;
  }
  for (int i = 0; i < ACCESSES; i++) {
    int key;
    switch (__VERIFIER_nondet_int()) {
    case 0: key = 0; break;
    case 1: key = 1; break;
    case 2: key = 2; break;
    default: key = 3; break;
    }
    if (!touch(key))
      reach_error(); // expect: unreachable
    if (head->key != key)
      reach_error(); // expect: unreachable
  }
  int seen = 0;
  for (struct entry *e = head; e; e = e->next)
    seen |= 1 << e->key;
  if (seen != 15)
    reach_error(); // expect: unreachable
  while (head) {
    struct entry *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
