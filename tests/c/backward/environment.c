// A variable that the caller set.
#include <stdlib.h>

void hit(void) {}

static void f(void) {
  if (getenv("ESPALIER_NONE") != 0)
    hit(); // reachable
}
int main(void) {
  setenv("ESPALIER_NONE", "1", 1);
  f();
  return 0;
}
