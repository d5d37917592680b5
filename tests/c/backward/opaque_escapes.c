// Addresses of locals that callers' pointers lead to.

#include <string.h>

void hit(void) {}

struct box {
  int *kept;
  char bytes[8];
};
static int *slots[4];
static void stored(struct box *a, struct box *b) {
  int local = 0;
  a->kept = &local;
  if (b->kept)
    *b->kept = 7;
  if (local == 7)
    hit(); // reachable
}
static void copied(struct box *a, struct box *b) {
  int local = 0;
  struct box mine = {&local};
  *a = mine;
  if (b->kept)
    *b->kept = 7;
  if (local == 7)
    hit(); // reachable
}
static void by_bytes(struct box *a, struct box *b) {
  int local = 0, *address = &local;
  for (unsigned i = 0; i < sizeof address; i++)
    ((volatile char *)&a->kept)[i] = ((volatile char *)&address)[i];
  if (b->kept)
    *b->kept = 7;
  if (local == 7)
    hit(); // reachable
}
static void in_a_global(int ***all, int i) {
  int local = 0;
  slots[i & 3] = &local;
  if ((*all)[i & 3])
    *(*all)[i & 3] = 7;
  if (local == 7)
    hit(); // reachable
}
static void read_again(struct box *a, struct box *b) {
  int local = 0;
  a->kept = &local;
  int before = b->kept ? *b->kept : 0;
  local = 5;
  if (b->kept && *b->kept != before)
    hit(); // reachable
}
static void not_given_away(struct box *a) {
  int local = 0, *mine = &local;
  a->bytes[0] = 1;
  *mine = 3;
  if (a->bytes[0] != 1 || local != 3)
    hit(); // unreachable, cut
}
int main(void) {
  struct box a = {0}, b = {0};
  int **first = slots;
  stored(&a, &b);
  stored(&a, &a);
  copied(&a, &a);
  by_bytes(&a, &a);
  in_a_global(&first, 2);
  read_again(&a, &a);
  not_given_away(&b);
  return 0;
}
