// Tests memset on a constant object.
// paths: 0
#include <string.h>

static const char banner[8] = "banner";

static void clear(char *p, size_t n) {
  memset(p, 0, n); //~ read_only: write to read-only memory
}

int main(void) {
  clear((char *)banner, sizeof banner);
  return 0;
}
