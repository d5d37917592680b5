// Tests klee_define_fixed_object: memory at a fixed address, as of a device.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>

#define DEVICE ((volatile uint32_t *)0x20000000)

int main(void) {
  klee_define_fixed_object((void *)DEVICE, 16);
  int x = klee_int("x");
  DEVICE[0] = (uint32_t)x;
  DEVICE[3] = 7;
  if (DEVICE[0] == 99)
    assert(x == 99);
  assert(DEVICE[3] == 7);
  return 0;
}
