// A global that is too large to be a symbol, read by memcpy.
#include <string.h>

void hit(void) {}

static char text[5000];
static void f(void) {
  char start[4];
  memcpy(start, text, 4);
  if (start[0])
    hit(); // reachable
}
int main(void) {
  text[0] = 1;
  f();
  return 0;
}
