// Tests an error that depends on data set up by a constructor.
// paths: 1
#include <klee/klee.h>

static unsigned limit;
static char buf[4];
__attribute__((constructor)) static void setup(void) { limit = 5; }

int main(void) {
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < limit);
  buf[i] = 1; //~ ptr: out of bounds
  return 0;
}
