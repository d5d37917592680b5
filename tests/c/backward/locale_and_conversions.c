// Conversions that set errno, and functions that change case.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

void hit(void) {}

static char *rest;
static void f(const char *text) {
  if (strtol(text, &rest, 10) == LONG_MAX && errno == ERANGE)
    hit(); // reachable
  if (toupper(*text) == '9')
    hit(); // reachable
}
int main(void) {
  f("99999999999999999999");
  return 0;
}
