// What the library remembers from earlier calls.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void hit(void) {}

static void f(void) {
  if (errno == 5)
    hit(); // reachable
  int first = rand();
  srand(1);
  if (first != rand())
    hit(); // reachable
  if (strtok(0, ",") != 0)
    hit(); // reachable
}
int main(void) {
  char text[] = "a,b";
  rand();
  strtok(text, ",");
  errno = 5;
  f();
  return 0;
}
