// Tests __builtin_object_size: known for arrays, unknown (-1) or the right size for others.
// paths: 1
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

static size_t size_of(void *p) { return __builtin_object_size(p, 0); }

int main(void) {
  char buf[24];
  struct {
    int a;
    char b[8];
  } s;
  assert(__builtin_object_size(buf, 0) == 24);
  assert(__builtin_object_size(buf + 4, 0) == 20);
  assert(__builtin_object_size(s.b, 1) == 8);
  size_t n = size_of(buf);
  assert(n == (size_t)-1 || n == 24);
  return 0;
}
