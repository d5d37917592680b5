// Tests that every activation of a recursive function has its own locals.
// paths: 1
#include <assert.h>

static int walk(int n, int *parent) {
  int mine[2] = {n, n * n};
  if (parent)
    assert(parent != mine);
  if (n > 0)
    walk(n - 1, mine);
  assert(mine[0] == n);
  assert(mine[1] == n * n);
  if (parent)
    parent[1] += 0;
  return mine[1];
}

int main(void) {
  assert(walk(6, 0) == 36);
  return 0;
}
