// Tests a concrete counting loop with two loop-carried values.
// paths: 1
#include <assert.h>

int main(void) {
  unsigned sum = 0, squares = 0;
  for (unsigned i = 1; i <= 1000; i++) {
    sum += i;
    squares += i * i;
  }
  assert(sum == 500500);
  assert(squares == 333833500);
  return 0;
}
