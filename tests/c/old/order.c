// Procedures that are called before they are defined.
#include <stdio.h>

int main(void) {
  prepare(3);
  show();
  return 0;
}

static int state;

void prepare(n)
int n;
{
  state = n * 2;
}

void show() { printf("%d\n", state); }
