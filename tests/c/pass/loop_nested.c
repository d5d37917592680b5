// Tests nested loops with a symbolic row count and a concrete inner bound.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int rows = klee_range(0, 4, "rows");
  int cells = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j <= i; j++)
      cells++;
  assert(cells == rows * (rows + 1) / 2);
  return 0;
}
