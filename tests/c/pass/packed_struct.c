// Tests packed structs: members at unaligned offsets, symbolic member values.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stddef.h>
#include <stdint.h>

struct __attribute__((packed)) msg {
  uint8_t kind;
  uint32_t len;
  uint64_t id;
};

int main(void) {
  struct msg m;
  assert(sizeof m == 13);
  assert(offsetof(struct msg, id) == 5);
  klee_make_symbolic(&m, sizeof m, "m");
  unsigned char *raw = (unsigned char *)&m;
  if (m.len == 0x01020304) {
    assert(raw[1] == 4);
    assert(raw[4] == 1);
  }
  m.id = 0xff;
  assert(raw[5] == 0xff);
  assert(raw[12] == 0);
  return 0;
}
