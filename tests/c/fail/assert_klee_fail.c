// Tests an assertion of KLEE's own header, which calls klee_assert_fail.
// paths: 1
#include <klee/klee.h>

__attribute__((noreturn)) void klee_assert_fail(const char *expression, const char *file, unsigned line,
                                                const char *function);

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  if (c % 16 == 9)
    klee_assert_fail("c % 16 != 9", __FILE__, __LINE__, __func__); //~ assert: assertion failed
  return 0;
}
