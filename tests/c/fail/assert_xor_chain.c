// Tests inverting a chain of xors, rotations and additions.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint32_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  uint32_t h = x;
  h ^= h >> 7;
  h += 0x9e3779b9u;
  h = (h << 13) | (h >> 19);
  h ^= 0x5bd1e995u;
  assert(h != 0xdeadbeefu); //~ assert: assertion failed
  return 0;
}
