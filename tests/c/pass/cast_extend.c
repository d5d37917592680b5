// Tests sign and zero extension through every integer width.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  int8_t s;
  klee_make_symbolic(&s, sizeof s, "s");
  int16_t h = s;
  int32_t w = h;
  int64_t d = w;
  __int128 q = d;
  assert(q == s);
  assert((int8_t)d == s);
  uint8_t u = (uint8_t)s;
  uint64_t z = u;
  assert(z <= 255);
  if ((uint64_t)d == z)
    assert(s >= 0);
  else
    assert((uint64_t)d == (z | 0xffffffffffffff00ull));
  return 0;
}
