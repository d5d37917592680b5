// Tests 2-, 4- and 8-byte accesses at symbolic, possibly unaligned, byte offsets.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

typedef uint16_t __attribute__((aligned(1))) u16;
typedef uint32_t __attribute__((aligned(1))) u32;
typedef uint64_t __attribute__((aligned(1))) u64;

int main(void) {
  unsigned char b[16];
  for (int i = 0; i < 16; i++)
    b[i] = (unsigned char)i;
  int k = klee_range(0, 9, "k");
  assert(*(u16 *)(b + k) == k + (k + 1) * 256);
  assert((*(u32 *)(b + k) & 0xff) == (unsigned)k);
  assert(*(u64 *)(b + k) >> 56 == (unsigned)(k + 7));
  *(u32 *)(b + k) = 0x04030201;
  assert(b[k] == 1);
  assert(b[k + 3] == 4);
  assert(b[k + 4] == k + 4);
  return 0;
}
