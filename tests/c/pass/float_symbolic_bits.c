// Tests the sign and magnitude of a symbolic float through its bits and through fabs.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>
#include <string.h>

int main(void) {
  uint32_t bits, abs_bits;
  klee_make_symbolic(&bits, sizeof bits, "bits");
  float f, a;
  memcpy(&f, &bits, sizeof f);
  a = __builtin_fabsf(f);
  memcpy(&abs_bits, &a, sizeof a);
  assert(abs_bits == (bits & 0x7fffffff));
  float n = -f;
  memcpy(&abs_bits, &n, sizeof n);
  assert(abs_bits == (bits ^ 0x80000000u));
  return 0;
}
