// Tests variable-length arrays, one- and two-dimensional, and sizeof of them.
// paths: 1
#include <assert.h>

static int diag(int n) {
  int m[n][n];
  assert(sizeof m == (unsigned long)(n * n) * sizeof(int));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = i * n + j;
  int s = 0;
  for (int i = 0; i < n; i++)
    s += m[i][i];
  return s;
}

int main(void) {
  assert(diag(1) == 0);
  assert(diag(3) == 12);
  assert(diag(5) == 60);
  return 0;
}
