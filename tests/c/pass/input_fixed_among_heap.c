// Tests that objects from the heap keep away from one at a fixed address, which lies where the heap would have come to soon.
// paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

#define DEVICE ((volatile unsigned char *)0x40000000)

int main(void) {
  klee_define_fixed_object((void *)DEVICE, 4096);
  unsigned char x = (unsigned char)klee_int("x");
  DEVICE[0] = x;
  for (int i = 0; i < 200; i++) {
    unsigned char *other = malloc(8);
    if (!other)
      return 1;
    *other = (unsigned char)i;
    assert(DEVICE[0] == x);
    DEVICE[0] = x;
    assert(*other == (unsigned char)i);
    free(other);
  }
  return 0;
}
