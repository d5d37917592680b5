// Tests memset running past a stack buffer.
// paths: 1
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char buf[10];
  unsigned char big;
  klee_make_symbolic(&big, sizeof big, "big");
  size_t n = sizeof buf;
  if (big > 200)
    n++;
  memset(buf, 0, n); //~ ptr: out of bounds
  return buf[9];
}
