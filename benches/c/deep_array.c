// A loop over an array with one symbolic branch an element: both sides go on.
#include <klee/klee.h>

#ifndef ELEMENTS
#define ELEMENTS 100000
#endif

static unsigned char elements[ELEMENTS];

int main(void) {
  klee_make_symbolic(elements, sizeof elements, "elements");
  int sevens = 0;
  for (int i = 0; i < ELEMENTS; i++)
    if (elements[i] == 7)
      sevens++;
  return sevens;
}
