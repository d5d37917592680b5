// Tests branching on symbolic bit-fields and that writing one leaves its neighbours alone.
// paths: 3
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

struct hdr {
  unsigned char version : 4;
  unsigned char kind : 2;
  unsigned char rest : 2;
};

int main(void) {
  unsigned char raw;
  klee_make_symbolic(&raw, sizeof raw, "raw");
  struct hdr h;
  memcpy(&h, &raw, 1);
  assert(h.version == (raw & 15));
  assert(h.kind == ((raw >> 4) & 3));
  if (h.version == 4) {
    h.kind = 3;
    assert(h.version == 4);
    assert(h.rest == raw >> 6);
  } else if (h.version == 6) {
    h.version = 0;
    memcpy(&raw, &h, 1);
    assert((raw & 15) == 0);
  }
  return 0;
}
