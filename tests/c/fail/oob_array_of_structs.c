// Tests a member access through the element one past an array of structs.
// paths: 2
#include <klee/klee.h>

struct item {
  char kind;
  int price;
};
static struct item shop[3] = {{'a', 10}, {'b', 20}, {'c', 30}};

int main(void) {
  int i = klee_range(0, 4, "i");
  int p = shop[i].price; //~ ptr: out of bounds
  if (p > 15)
    klee_assert(i > 0);
  return 0;
}
