// An integer is not where a floating-point number is looked for.
// unsupported: a floating-point number for an integer
#include <stdio.h>

int twice();

int main(void) {
  printf("%d\n", twice(2.5));
  return 0;
}

int twice(x)
int x;
{
  return x * 2;
}
