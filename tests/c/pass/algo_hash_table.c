// Tests an open-addressing hash table with a symbolic lookup key.
// paths: 7
#include <assert.h>
#include <klee/klee.h>

static unsigned char slot[8], value[8];

static void put(unsigned char k, unsigned char v) {
  unsigned i = (k * 5u) & 7;
  while (slot[i])
    i = (i + 1) & 7;
  slot[i] = k;
  value[i] = v;
}
static int get(unsigned char k) {
  unsigned i = (k * 5u) & 7;
  while (slot[i]) {
    if (slot[i] == k)
      return value[i];
    i = (i + 1) & 7;
  }
  return -1;
}

int main(void) {
  put(10, 1);
  put(18, 2);
  put(77, 3);
  unsigned char k;
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(k != 0);
  int v = get(k);
  if (v == 2)
    assert(k == 18);
  if (k == 77)
    assert(v == 3);
  return 0;
}
