// More arguments than parameters, and fewer where the missing ones are not used; wider ones are cut.
#include <stdio.h>

int one(), two(), low();

int main(void) {
  long wide = 0x500000007;
  printf("%d %d %d\n", one(1, 2, 3.5), two(4), low(wide));
  return 0;
}

int one(x)
int x;
{
  return x + 1;
}

int two(x, unused)
int x, unused;
{
  return x * 2;
}

int low(x)
int x;
{
  return x;
}
