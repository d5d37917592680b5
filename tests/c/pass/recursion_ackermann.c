// Tests deep nested recursion with the Ackermann function.
// paths: 1
#include <assert.h>

static unsigned ack(unsigned m, unsigned n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ack(m - 1, 1);
  return ack(m - 1, ack(m, n - 1));
}

int main(void) {
  assert(ack(2, 3) == 9);
  assert(ack(3, 3) == 61);
  return 0;
}
