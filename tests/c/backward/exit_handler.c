// Only the handler of exits calls the function on this.
#include <stdlib.h>

void hit(void) {}

static int state;
static void k(int x) {
  if (x == 5)
    hit(); // reachable
}
static void handler(void) { k(state); }
static void f(int x) {
  state = x;
  if (x == 7)
    k(x);
  exit(0);
}
int main(void) {
  atexit(handler);
  f(5);
  return 0;
}
