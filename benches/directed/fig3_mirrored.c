// Fig. 3 with its branches the other way round and work that forks on the way past f: neither the
// first side nor the last leads to the target.
// The target is the assertion in f: m is 7, and no bit of n adds to the sum.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

static volatile int work;

// Some function with four paths.
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
    if (sum != 0 || m != 7)
      continue;
    assert(0);
  }
}

int main(void) {
  int m, n, k, i;
  klee_make_symbolic(&m, sizeof m, "m");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&k, sizeof k, "k");
  for (i = 0; i < 1000; i++) {
    if (m != i) {
      foo(k >> (2 * (i & 15)));
    } else {
      f(m, n);
    }
  }
  return 0;
}
