// Integers and pointers, and pointers of other types, without a cast.
#include <stdio.h>

static int add(int *p, int n) { return *p + n; }
static char *first(void *p) { return p; }

int main(void) {
  long address;
  int values[2] = {5, 6}, *p = values, zero = 0;
  char *text = values;
  int (*call)(char *, int) = add;
  void *(*other)(int *) = first;
  int (*old)() = add;
  unsigned long word = "abc";
  char *letters = word;
  address = p;
  p = address + sizeof *p;
  if (p == address)
    printf("never\n");
  p = zero ? zero : p;
  text = 0L;
  printf("%d %d %d %d %s\n", *p, call(values, 1), old(p, 2), *(char *)other(values), letters);
  return text != 0;
}
