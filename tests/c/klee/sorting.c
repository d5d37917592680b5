// Sorting four numbers by insertion takes one path for each order that they can be in: 4! of them.
// completed paths = 24
// partially completed paths = 0
// generated tests = 24
#include <klee/klee.h>

#define LENGTH 4

int main(void) {
  int numbers[LENGTH];
  klee_make_symbolic(numbers, sizeof numbers, "numbers");
  for (int i = 1; i < LENGTH; i++) {
    int number = numbers[i], place = i;
    for (; place > 0 && numbers[place - 1] > number; place--)
      numbers[place] = numbers[place - 1];
    numbers[place] = number;
  }
  for (int i = 1; i < LENGTH; i++)
    klee_assert(numbers[i - 1] <= numbers[i]);
  return 0;
}
