// Tests empty structs, zero-length arrays and zero-size copies.
// paths: 1
#include <assert.h>
#include <string.h>

struct empty {};
struct tail {
  int n;
  struct empty e;
  char data[0];
};

static struct empty pass_empty(struct empty e, int *n) {
  ++*n;
  return e;
}

int main(void) {
  int n = 0;
  struct empty e = {};
  e = pass_empty(e, &n);
  (void)e;
  assert(n == 1);
  assert(sizeof(struct empty) == 0);
  assert(sizeof(struct tail) == 4);
  size_t zero = 0;
  char a = 'a', b = 'b';
  memcpy(&a, &b, zero);
  memset(&a, 0, zero);
  assert(a == 'a');
  return 0;
}
