// Tests memcpy of symbolic contents into a struct and out again.
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>
#include <string.h>

struct pkt {
  uint16_t len;
  uint8_t body[6];
};

int main(void) {
  uint8_t raw[8], back[8];
  klee_make_symbolic(raw, sizeof raw, "raw");
  struct pkt p;
  memcpy(&p, raw, sizeof p);
  if (p.len == 0x0201) {
    assert(raw[0] == 1);
    assert(raw[1] == 2);
  }
  memcpy(back, &p, sizeof back);
  for (int i = 0; i < 8; i++)
    assert(back[i] == raw[i]);
  return 0;
}
