// Tests large structs passed by value (byval copy) and returned through a hidden pointer.
// paths: 1
#include <assert.h>

struct big {
  int v[20];
};

static int scribble(struct big b) {
  int old = b.v[19];
  b.v[19] = -1;
  return old;
}
static struct big make(int base) {
  struct big b;
  for (int i = 0; i < 20; i++)
    b.v[i] = base + i;
  return b;
}

int main(void) {
  struct big b = make(100);
  assert(scribble(b) == 119);
  assert(b.v[19] == 119);
  struct big c = b;
  c.v[0] = 7;
  assert(b.v[0] == 100);
  assert(scribble(make(1)) == 20);
  return 0;
}
