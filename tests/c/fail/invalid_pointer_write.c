// Tests a write through a made-up address on one path.
// paths: 1
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  int x = 0;
  uintptr_t at = (uintptr_t)&x;
  if (klee_int("c") < 0)
    at = 0x4321;
  *(volatile char *)at = 1; //~ ptr: invalid pointer
  return 0;
}
