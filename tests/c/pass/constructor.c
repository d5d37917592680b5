// Tests that constructors run before main, in order of priority.
// paths: 1
// stdout: early
// stdout: late
// stdout: main
#include <assert.h>
#include <stdio.h>

static int order;
__attribute__((constructor(300))) static void late(void) {
  puts("late");
  order = order * 10 + 2;
}
__attribute__((constructor(200))) static void early(void) {
  puts("early");
  order = order * 10 + 1;
}

int main(void) {
  puts("main");
  assert(order == 12);
  return 0;
}
