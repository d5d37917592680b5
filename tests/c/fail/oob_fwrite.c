// Tests that printing a buffer reads it: fwrite of more bytes than the buffer has.
#include <stdio.h>

static const char text[4] = "abc";

int main(void) {
  fwrite(text, 1, 9, stdout); //~ ptr: out of bounds
  return 0;
}
