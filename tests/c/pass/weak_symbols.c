// Tests weak definitions and an undefined weak function, whose address is null.
// paths: 1
#include <assert.h>
#include <stddef.h>

__attribute__((weak)) int level = 3;
__attribute__((weak)) int answer(void) { return 42; }
extern void not_defined_anywhere(void) __attribute__((weak));

int main(void) {
  assert(level == 3);
  assert(answer() == 42);
  if (not_defined_anywhere != NULL)
    not_defined_anywhere();
  return 0;
}
