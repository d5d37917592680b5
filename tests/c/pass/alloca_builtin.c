// Tests alloca: memory lives until the function returns and is writable.
// paths: 1
#include <assert.h>
#include <string.h>

static unsigned sum(unsigned n) {
  unsigned char *p = __builtin_alloca(n);
  memset(p, 3, n);
  unsigned char *q = __builtin_alloca(1);
  *q = 100;
  unsigned s = *q;
  for (unsigned i = 0; i < n; i++)
    s += p[i];
  return s;
}

int main(void) {
  assert(sum(1) == 103);
  assert(sum(50) == 250);
  return 0;
}
