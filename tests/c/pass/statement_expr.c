// Tests statement expressions, _Generic and the comma operator.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define NAME(x) _Generic((x), int: 'i', double: 'd', char *: 's', default: '?')

int main(void) {
  int x = klee_int("x");
  int m = MAX(x, 10);
  assert(m >= 10);
  char *s = 0;
  assert(NAME(x) == 'i' && NAME(1.5) == 'd' && NAME(s) == 's' && NAME(1ul) == '?');
  int t = (m++, m + 1);
  assert(t == m + 1);
  return 0;
}
