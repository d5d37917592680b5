// Tests thread-local variables: in a single thread they behave as globals.
// paths: 1
#include <assert.h>

static _Thread_local int counter = 3;
_Thread_local int zeroed;
static void tick(void) {
  counter++;
  zeroed += 2;
}

int main(void) {
  tick();
  tick();
  assert(counter == 5);
  assert(zeroed == 4);
  return 0;
}
