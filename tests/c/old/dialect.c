// A name that is a keyword today.
// gcc: -std=gnu89
#include <stdio.h>

int main(void) {
  int restrict = 4;
  printf("%d\n", scale(restrict));
  return 0;
}

scale(x) { return 3 * x; }
