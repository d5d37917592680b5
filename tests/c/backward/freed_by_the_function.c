// What the caller allocated is freed and resized.
#include <stdlib.h>

void hit(void) {}

static char *text;
static void *other;
static void f(void) {
  free(other);
  hit(); // reachable
  text = realloc(text, 10);
  if (text[0] == 3)
    hit(); // reachable
}
int main(void) {
  other = malloc(3);
  text = malloc(3);
  text[0] = 3;
  f();
  return 0;
}
