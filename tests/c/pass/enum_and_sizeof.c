// Tests sizes and alignments of the LP64 data model.
// paths: 1
#include <assert.h>
#include <stddef.h>

enum small { A, B };
enum big { BIG = 0x100000000 };

int main(void) {
  assert(sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4);
  assert(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(size_t) == 8);
  assert(sizeof(long double) == 16);
  assert(sizeof(enum small) == 4);
  assert(sizeof(enum big) == 8);
  struct s {
    char c;
    double d;
    char e;
  };
  assert(sizeof(struct s) == 24);
  assert(offsetof(struct s, e) == 16);
  assert(_Alignof(long double) == 16);
  return 0;
}
