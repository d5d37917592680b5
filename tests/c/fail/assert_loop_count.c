// Tests an assertion after a loop with a symbolic bound: fails for one count.
// paths: 7
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int n = klee_range(0, 8, "n");
  int tri = 0;
  for (int i = 1; i <= n; i++)
    tri += i;
  assert(tri != 15); //~ assert: assertion failed
  return 0;
}
