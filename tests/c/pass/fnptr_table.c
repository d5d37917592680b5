// Tests calls through a constant table of function pointers.
// paths: 1
#include <assert.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

typedef int (*binop)(int, int);
static const struct {
  char sym;
  binop fn;
} ops[] = {{'+', add}, {'-', sub}, {'*', mul}};

static int apply(char sym, int a, int b) {
  for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
    if (ops[i].sym == sym)
      return ops[i].fn(a, b);
  return -1;
}

int main(void) {
  assert(apply('+', 6, 7) == 13);
  assert(apply('-', 6, 7) == -1);
  assert(apply('*', 6, 7) == 42);
  assert(ops[0].fn == add);
  assert(ops[0].fn != sub);
  return 0;
}
