// Tests __atomic_* builtins at several widths, including nand, min and max.
// paths: 1
#include <assert.h>
#include <stdint.h>

int main(void) {
  uint8_t b = 250;
  assert(__atomic_fetch_add(&b, 10, __ATOMIC_SEQ_CST) == 250);
  assert(__atomic_load_n(&b, __ATOMIC_ACQUIRE) == 4);
  uint16_t h = 0xf0f0;
  assert(__atomic_fetch_nand(&h, 0xff00, __ATOMIC_RELAXED) == 0xf0f0);
  assert(h == 0x0fff);
  int32_t w = -5;
  assert(__atomic_fetch_max(&w, 3, __ATOMIC_RELAXED) == -5);
  assert(__atomic_fetch_min(&w, -8, __ATOMIC_RELAXED) == 3);
  assert(w == -8);
  uint32_t u = 5;
  __atomic_fetch_max(&u, 0x80000000u, __ATOMIC_RELAXED);
  assert(u == 0x80000000u);
  __atomic_fetch_min(&u, 9u, __ATOMIC_RELAXED);
  assert(u == 9);
  int64_t d = 1ll << 40;
  assert(__atomic_sub_fetch(&d, 1, __ATOMIC_ACQ_REL) == (1ll << 40) - 1);
  assert(__atomic_xor_fetch(&d, d, __ATOMIC_RELEASE) == 0);
  __atomic_store_n(&d, 3, __ATOMIC_RELEASE);
  assert(__atomic_exchange_n(&d, 4, __ATOMIC_SEQ_CST) == 3);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  assert(d == 4);
  return 0;
}
