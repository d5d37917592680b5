// The comparison that qsort calls.
#include <stdlib.h>

void hit(void) {}

static int compare(const void *x, const void *y) {
  if (*(const int *)x == 7 || *(const int *)y == 7)
    hit(); // reachable
  return *(const int *)x - *(const int *)y;
}
static void f(int *numbers) {
  if (numbers == 0)
    qsort(numbers, 0, 4, compare);
}
int main(void) {
  int numbers[] = {9, 7, 3};
  f(numbers);
  qsort(numbers, 3, sizeof *numbers, compare);
  return 0;
}
