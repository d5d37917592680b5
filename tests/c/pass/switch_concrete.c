// Tests that a switch on a concrete value does not fork.
// paths: 1
#include <assert.h>

static const char *name(int op) {
  switch (op) {
  case '+': return "add";
  case '-': return "sub";
  case '*': return "mul";
  default: return "?";
  }
}

int main(void) {
  assert(name('+')[0] == 'a');
  assert(name('-')[0] == 's');
  assert(name('*')[2] == 'l');
  assert(name(0)[0] == '?');
  return 0;
}
