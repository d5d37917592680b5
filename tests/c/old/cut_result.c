// A library function that no compiler knows the type of: its result is cut to an `int`.
#include <stdio.h>

int main(void) {
  char digits[] = "4294967299";
  long value = strtoul(digits, (char **)0, 10L);
  printf("%ld\n", value);
  return 0;
}
