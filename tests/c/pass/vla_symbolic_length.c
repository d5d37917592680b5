// Tests a variable-length array whose length was fixed by branching on a symbolic value.
// paths: 4
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int n = klee_range(1, 5, "n");
  int len = 0;
  while (len < n)
    len++;
  char a[len];
  for (int i = 0; i < len; i++)
    a[i] = (char)i;
  assert(a[n - 1] == n - 1);
  return 0;
}
