// Tests memcpy to a null destination.
// paths: 0
#include <string.h>

static void copy(char *to, const char *from, size_t n) {
  memcpy(to, from, n); //~ ptr: null pointer
}

int main(void) {
  copy(0, "abc", 3);
  return 0;
}
