// Tests that assigning a struct copies symbolic and concrete bytes alike.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

struct rec {
  int key;
  char name[6];
  short len;
};

int main(void) {
  char in[3];
  klee_make_symbolic(in, sizeof in, "in");
  struct rec a = {1, "hello", 5}, b;
  for (int i = 0; i < 3; i++)
    a.name[i] = in[i];
  b = a;
  assert(b.key == 1);
  assert(b.name[0] == a.name[0]);
  assert(b.name[2] == a.name[2]);
  assert(b.name[3] == 'l');
  assert(b.len == 5);
  b.name[0] = 'x';
  assert(a.name[0] == in[0]);
  return 0;
}
