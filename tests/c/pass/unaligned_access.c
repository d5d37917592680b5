// Tests that unaligned loads and stores are allowed and see the right bytes.
// paths: 1
#include <assert.h>
#include <stdint.h>
#include <string.h>

typedef uint32_t __attribute__((aligned(1))) unaligned_u32;
typedef uint64_t __attribute__((aligned(1))) unaligned_u64;

int main(void) {
  unsigned char b[16];
  for (int i = 0; i < 16; i++)
    b[i] = (unsigned char)i;
  assert(*(unaligned_u32 *)(b + 1) == 0x04030201);
  assert(*(unaligned_u64 *)(b + 3) == 0x0a09080706050403ull);
  *(unaligned_u32 *)(b + 7) = 0xdeadbeef;
  assert(b[6] == 6);
  assert(b[7] == 0xef);
  assert(b[10] == 0xde);
  assert(b[11] == 11);
  return 0;
}
