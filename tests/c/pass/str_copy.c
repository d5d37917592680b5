// Tests strcpy, strncpy, strcat and strncat with concrete strings.
// paths: 1
#include <assert.h>
#include <string.h>

int main(void) {
  char b[16];
  assert(strcpy(b, "one") == b);
  strcat(b, "two");
  assert(strcmp(b, "onetwo") == 0);
  strncat(b, "three", 2);
  assert(strcmp(b, "onetwoth") == 0);
  char n[6];
  memset(n, 'x', sizeof n);
  strncpy(n, "ab", 5);
  assert(n[1] == 'b' && n[2] == 0 && n[4] == 0 && n[5] == 'x');
  return 0;
}
