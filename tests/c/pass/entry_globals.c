// A function run by itself is not proved for all that its callers may have left in global variables.
// options: --entry=next
// paths: 1
// exit: 5
// symbolic-only
#include <assert.h>
static int calls;
int next(int step) {
  assert(calls == 0);
  return calls += step != 0;
}
int main(void) { return next(1) + next(2); }
