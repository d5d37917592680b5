// Tests global initialisers that convert addresses to integers.
// paths: 1
#include <assert.h>
#include <stdint.h>

static int g[4] = {1, 2, 3, 4};
static uintptr_t address = (uintptr_t)&g[1];
static uintptr_t beyond = (uintptr_t)g + 12;

int main(void) {
  assert(address == (uintptr_t)(g + 1));
  assert(*(int *)address == 2);
  assert(*(int *)beyond == 4);
  assert(beyond - address == 8);
  return 0;
}
