// Tests aliases of a variable and of a function.
// paths: 1
#include <assert.h>

int original = 5;
extern int other_name __attribute__((alias("original")));
int twice(int x) { return 2 * x; }
static int same(const void *p, const void *q) { return p == q; }
int doubled(int x) __attribute__((alias("twice")));

int main(void) {
  other_name = 9;
  assert(original == 9);
  assert(same(&other_name, &original));
  assert(doubled(21) == 42);
  return 0;
}
