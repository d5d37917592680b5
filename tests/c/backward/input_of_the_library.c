// How much of the input was read already.
#include <stdio.h>

void hit(void) {}

static void f(void) {
  if (getchar() == EOF)
    hit(); // reachable
}
int main(void) {
  while (getchar() != EOF)
    ;
  f();
  return 0;
}
