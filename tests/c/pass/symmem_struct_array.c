// Tests symbolic indexing into an array of structs, reading and writing one member.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

struct cell {
  char tag;
  int value;
  short count;
};

int main(void) {
  struct cell c[4] = {{'a', 10, 1}, {'b', 20, 2}, {'c', 30, 3}, {'d', 40, 4}};
  int i = klee_range(0, 4, "i");
  assert(c[i].tag == 'a' + i);
  assert(c[i].value == 10 * c[i].count);
  c[i].value += 5;
  assert(c[i].value == 15 + 10 * i);
  assert(c[i].tag == 'a' + i);
  assert(c[0].value + c[1].value + c[2].value + c[3].value == 105);
  return 0;
}
