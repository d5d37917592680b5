// A result of another kind: the caller looks into another register.
// unsupported: takes its result for another kind of number
#include <stdio.h>

double half(int x) { return x / 2.0; }

int main(void) {
  int (*pointer)(int) = half;
  printf("%d\n", pointer(3));
  return 0;
}
