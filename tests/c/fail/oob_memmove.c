// Tests memmove with a destination range that leaves the buffer.
// paths: 0
#include <string.h>

int main(void) {
  char buf[8] = "1234567";
  size_t n = 8;
  memmove(buf + 2, buf, n); //~ ptr: out of bounds
  return buf[0];
}
