// Tests struct layout under -m32: doubles and long longs are aligned to four bytes.
// options: --cc-arg=-m32 --cc-arg=-ffreestanding
// paths: 1
// symbolic-only
#include <klee/klee.h>
#include <stddef.h>

struct s {
  char c;
  double d;
  char *p;
  long long n;
};

int main(void) {
  klee_assert(offsetof(struct s, d) == 4);
  klee_assert(offsetof(struct s, p) == 12);
  klee_assert(offsetof(struct s, n) == 16);
  klee_assert(sizeof(struct s) == 24);
  struct s a[2];
  a[1].n = 5;
  a[1].p = &a[0].c;
  a[0].c = 'x';
  klee_assert((char *)&a[1] - (char *)&a[0] == 24);
  klee_assert(*a[1].p == 'x');
  klee_assert(a[1].n == 5);
  return 0;
}
