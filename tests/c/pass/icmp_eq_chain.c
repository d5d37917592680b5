// Tests eq and ne: a chain of equality tests gives one path per value plus the rest.
// paths: 5
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned short v;
  klee_make_symbolic(&v, sizeof v, "v");
  int r = 0;
  if (v == 1)
    r = 10;
  else if (v == 500)
    r = 20;
  else if (v == 65535)
    r = 30;
  else if (v != 7)
    r = 40;
  assert(r != 0 || v == 7);
  return 0;
}
