// Tests small structs passed and returned by value (in registers).
// paths: 1
#include <assert.h>
#include <klee/klee.h>

struct pair {
  int a;
  char b;
};
struct bytes {
  unsigned char v[3];
};

static struct pair swap_add(struct pair p, int k) {
  struct pair r = {p.b + k, (char)p.a};
  return r;
}
static struct bytes rotate(struct bytes b) {
  struct bytes r = {{b.v[1], b.v[2], b.v[0]}};
  return r;
}

int main(void) {
  struct pair p = {65, 'z'};
  struct pair q = swap_add(p, 1);
  assert(q.a == 'z' + 1);
  assert(q.b == 'A');
  assert(p.a == 65);
  struct bytes b;
  klee_make_symbolic(&b, sizeof b, "b");
  struct bytes r = rotate(rotate(b));
  assert(r.v[0] == b.v[2]);
  assert(r.v[1] == b.v[0]);
  return 0;
}
