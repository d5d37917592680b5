// Tests popcount, parity, ffs and clrsb.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned k = 0xf0f01;
  assert(__builtin_popcount(k) == 9);
  assert(__builtin_parity(k) == 1);
  assert(__builtin_popcountl(~0ul) == 64);
  int z = 0, f = 0x60;
  assert(__builtin_ffs(z) == 0);
  assert(__builtin_ffs(f) == 6);
  assert(__builtin_clrsb(z) == 31);
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int bits = 0;
  for (int i = 0; i < 8; i++)
    bits += (x >> i) & 1;
  assert(__builtin_popcount(x) == bits);
  assert(__builtin_parity(x) == (bits & 1));
  return 0;
}
