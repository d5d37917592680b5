// Fig. 4 of "Directed symbolic execution" (Ma, Khoo, Foster, Hicks, 2011) as printed: searching
// backwards alone finds the way from f to the target, and then tries f with all numbers below 37,
// although main calls g with at least 30 only. Forwards and backwards meet soon.
// The target is the assertion in f: m is 37, and no bit of n adds to the sum.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

static volatile int work;

static void some_work(int rounds) {
  for (int i = 0; i < rounds; i++)
    work++;
}

static void f(int m, int n) {
  int i, a, sum = 0;
  for (i = 0; i < 6; i++) {
    a = n % 2;
    if (a)
      sum += a + 1;
    n /= 2;
  }
  while (1) {
    if (sum == 0 && m == 37)
      assert(0);
  }
}

static void g(int m, int n) {
  int i;
  for (i = 0; i < 1000; i++) {
    some_work(10);
    if (m == i)
      f(m, n);
  }
}

int main(void) {
  int m, n;
  klee_make_symbolic(&m, sizeof m, "m");
  klee_make_symbolic(&n, sizeof n, "n");
  some_work(10000);
  if (m >= 30)
    g(m, n);
  return 0;
}
