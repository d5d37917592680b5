// Calls through pointers that say nothing about parameters.
#include <stdio.h>

int small(c)
char c;
{
  return c;
}

int real(x)
double x;
{
  return (int)(x * 4);
}

int plain(int a, int b) { return a - b; }

int main(void) {
  int (*table[3])() = {small, real, plain};
  printf("%d %d %d\n", table[0](321), table[1](2.25), table[2](9, 4));
  return 0;
}
