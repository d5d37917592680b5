// Tests that the output calls (warnings, expression printing, stack trace) do not change the path.
// paths: 2
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_warning("a warning");
  klee_warning_once("only once");
  klee_print_expr("x is", x);
  klee_print_range("x", x);
  klee_stack_trace();
  if (x > 3)
    klee_assert(x >= 4);
  return 0;
}
