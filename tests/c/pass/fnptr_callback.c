// Tests function pointers as arguments and return values.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

typedef int (*pred)(int);
static int is_even(int x) { return !(x & 1); }
static int is_small(int x) { return x < 3; }
static pred choose(int c) {
  if (c)
    return is_even;
  return is_small;
}
static int count(const int *a, int n, pred p) {
  int k = 0;
  for (int i = 0; i < n; i++)
    k += p(a[i]);
  return k;
}

int main(void) {
  int a[] = {0, 1, 2, 3, 4, 5, 6};
  int c = klee_int("c");
  int k = count(a, 7, choose(c));
  assert(k == (c != 0) + 3);
  return 0;
}
