// Tests a struct made symbolic as a whole, including padding and an array member.
// paths: 3
#include <assert.h>
#include <klee/klee.h>

struct req {
  char op;
  int arg;
  short list[3];
};

int main(void) {
  struct req r;
  klee_make_symbolic(&r, sizeof r, "r");
  if (r.op == 'r') {
    if (r.arg < 0)
      r.arg = 0;
    assert(r.arg >= 0);
  } else {
    assert(r.op != 'r');
  }
  return 0;
}
