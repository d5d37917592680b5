// Fig. 4 with its branches the other way round, and with work that forks.
// The target is the assertion in f: m is 37, and no bit of n adds to the sum.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

static volatile int work;

// Some work with four paths.
static void foo(int number) {
  if (!(number & 1))
    work++;
  if (!(number & 2))
    work--;
}

static void f(int m, int n) {
  int i, a, sum = 0;
  for (i = 0; i < 6; i++) {
    a = n % 2;
    if (!a) {
      work++;
    } else {
      sum += a + 1;
    }
    n /= 2;
  }
  while (1) {
    if (sum != 0 || m != 37)
      continue;
    assert(0);
  }
}

static void g(int m, int n, int k) {
  int i;
  for (i = 0; i < 1000; i++) {
    if (m != i) {
      foo(k >> (2 * (i & 15)));
    } else {
      f(m, n);
    }
  }
}

int main(void) {
  int m, n, k;
  klee_make_symbolic(&m, sizeof m, "m");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&k, sizeof k, "k");
  for (int i = 0; i < 10000; i++)
    work++;
  if (m < 30)
    return 0;
  g(m, n, k);
  return 0;
}
