// Tests 64-bit bit-fields crossing 32-bit boundaries, zero-width separators and packed layout.
// paths: 1
#include <assert.h>
#include <stdint.h>

struct wide {
  uint64_t a : 20;
  uint64_t b : 40;
  uint64_t c : 4;
};
struct split {
  unsigned a : 3;
  unsigned : 0;
  unsigned b : 3;
};
struct __attribute__((packed)) packed {
  unsigned a : 7;
  unsigned b : 14;
  unsigned c : 11;
};

int main(void) {
  struct wide w = {0xfffff, 0x123456789a, 0xf};
  assert(sizeof w == 8);
  assert(w.b == 0x123456789a);
  w.b = 0;
  assert(w.a == 0xfffff);
  assert(w.c == 0xf);
  assert(sizeof(struct split) == 8);
  struct packed p = {0x55, 0x2aaa, 0x7ff};
  assert(sizeof p == 4);
  p.b = 0x1234;
  assert(p.a == 0x55 && p.b == 0x1234 && p.c == 0x7ff);
  return 0;
}
