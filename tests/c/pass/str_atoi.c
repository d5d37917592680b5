// Tests atoi and strtol on concrete strings.
// paths: 1
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(atoi("42") == 42);
  assert(atoi("  -17x") == -17);
  assert(atoi("+8") == 8);
  assert(atoi("none") == 0);
  char *end;
  const char *hex = "0x1fz";
  assert(strtol(hex, &end, 0) == 31);
  assert(end == hex + 4);
  assert(strtol("777", NULL, 8) == 511);
  assert(strtoul("4000000000", NULL, 10) == 4000000000ul);
  return 0;
}
