// A function of numbers alone is proved for all of its arguments.
// options: --entry=clamp
// paths: 3
// symbolic-only
#include <assert.h>
static const int table[4] = {1, 2, 3, 4};
int clamp(int i) {
  if (i < 0)
    i = 0;
  else if (i > 3)
    i = 3;
  assert(table[i] >= 1);
  return table[i];
}
int main(void) { return clamp(2); }
