// Tests constant address expressions in global initialisers: members, offsets, differences.
// paths: 1
#include <assert.h>
#include <stdint.h>

struct s {
  int a;
  int b[4];
};
static struct s g = {1, {2, 3, 4, 5}};
static int *const member = &g.b[2];
static char *const raw = (char *)&g + 8;
static int *const end = &g.b[4];
static const uintptr_t offset = sizeof(struct s) - 4;
static int *table[3] = {&g.a, &g.b[0], g.b + 3};
static void *self = &self;

int main(void) {
  assert(*member == 4);
  assert(*(int *)raw == 3);
  assert(end - member == 2);
  assert(*(int *)((char *)&g + offset) == 5);
  assert(*table[0] + *table[1] + *table[2] == 8);
  assert(self == (void *)&self);
  *table[2] = 50;
  assert(g.b[3] == 50);
  return 0;
}
