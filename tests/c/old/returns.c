// Values where there should be none, and none where there should be one.
#include <stdio.h>

static int calls;

void procedure(int x) {
  calls += x;
  return calls;
}

int function(int x) {
  calls -= x;
  if (x > 1)
    return;
  return calls;
}

int main(void) {
  int last;
  procedure(4);
  function(2);
  last = function(1);
  printf("%d %d\n", calls, last);
  return 0;
}
