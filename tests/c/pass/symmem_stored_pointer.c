// Tests a pointer stored at a symbolic slot and loaded back from it.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = 5;
  int *slots[4] = {0, 0, 0, 0};
  int i = klee_range(0, 4, "i");
  slots[i] = &x;
  *slots[i] = 6;
  assert(x == 6);
  int set = 0;
  for (int k = 0; k < 4; k++)
    set += slots[k] != 0;
  assert(set == 1);
  return 0;
}
