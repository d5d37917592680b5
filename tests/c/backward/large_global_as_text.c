// A global that is too large to be a symbol, read by functions of the library.
#include <stdio.h>
#include <string.h>

void hit(void) {}

static char text[5000], format[5000] = "%d";
static void f(void) {
  if (strlen(text) == 2)
    hit(); // reachable
  char copy[10];
  if (snprintf(copy, sizeof copy, "%s", text) == 2)
    hit(); // reachable
  if (printf("%s", text) == 2)
    hit(); // reachable
  if (printf(format, 1) == 3)
    hit(); // reachable
  if (text[1] == 'b')
    hit(); // reachable
  if (memcmp(text, "ab", 3) == 0)
    hit(); // reachable
}
int main(void) {
  strcpy(text, "ab");
  strcpy(format, "%3d");
  f();
  return 0;
}
