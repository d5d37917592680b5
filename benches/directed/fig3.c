// Fig. 3 of "Directed symbolic execution" (Ma, Khoo, Foster, Hicks, 2011) as printed: the shortest
// way to the target leads into f when m is 0, where the target cannot be reached and a loop never
// ends. Searching from f backwards finds what m and n must be.
// The target is the assertion in f: m is 7, and no bit of n adds to the sum.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

static void f(int m, int n) {
  int i, a, sum = 0;
  for (i = 0; i < 6; i++) {
    a = n % 2;
    if (a)
      sum += a + 1;
    n /= 2;
  }
  while (1) {
    if (sum == 0 && m == 7)
      assert(0);
  }
}

int main(void) {
  int m, n, i;
  klee_make_symbolic(&m, sizeof m, "m");
  klee_make_symbolic(&n, sizeof n, "n");
  for (i = 0; i < 1000; i++) {
    if (m == i)
      f(m, n);
  }
  return 0;
}
