// Tests snprintf and sprintf into buffers, including truncation.
// paths: 1
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char b[16];
  int n = snprintf(b, sizeof b, "%d-%s", 42, "ok");
  assert(n == 5);
  assert(strcmp(b, "42-ok") == 0);
  char small[4];
  int want = 123456;
  n = snprintf(small, sizeof small, "%d", want);
  assert(n == 6);
  assert(strcmp(small, "123") == 0);
  sprintf(b, "%04x", 0xab);
  assert(strcmp(b, "00ab") == 0);
  return 0;
}
