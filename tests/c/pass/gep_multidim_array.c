// Tests row-major layout of a three-dimensional array.
// paths: 1
#include <assert.h>

int main(void) {
  int a[2][3][4];
  int n = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 4; k++)
        a[i][j][k] = n++;
  int *flat = &a[0][0][0];
  for (int i = 0; i < 24; i++)
    assert(flat[i] == i);
  int(*row)[4] = a[1];
  assert(row[2][3] == 23);
  assert((*(row + 1))[0] == 16);
  return 0;
}
