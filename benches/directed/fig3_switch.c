// Fig. 3 in another spelling: bits are looked at by a switch, the numbers are those of a table that
// a pointer walks through, and the endless loop is in a function of its own.
// The target is the assertion in spin: m is 7, and no bit of n adds to the sum.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

#define NUMBERS 1000

static volatile int turns;

static void spin(int m, int sum) {
  for (turns = 0;; turns ^= 1) {
    switch (m) {
    case 7:
      if (sum == 0)
        assert(0);
      break;
    default:
      break;
    }
  }
}

static void f(int m, unsigned n) {
  int sum = 0;
  for (unsigned mask = 1; mask < 64; mask <<= 1) {
    switch (n & mask) {
    case 0:
      break;
    default:
      sum += 2;
    }
  }
  spin(m, sum);
}

int main(void) {
  static int numbers[NUMBERS];
  for (int i = 0; i < NUMBERS; i++)
    numbers[i] = i;
  int m;
  unsigned n;
  klee_make_symbolic(&m, sizeof m, "m");
  klee_make_symbolic(&n, sizeof n, "n");
  for (const int *number = numbers; number < numbers + NUMBERS; number++) {
    if (m == *number)
      f(m, n);
  }
  return 0;
}
