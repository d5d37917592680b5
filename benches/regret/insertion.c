// Sorts five unknown numbers by insertion: each order is a path of its own.
#include <assert.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
    int numbers[5];
    klee_make_symbolic(numbers, sizeof numbers, "numbers");
    for (int i = 1; i < 5; i++) {
        int number = numbers[i], j = i;
        for (; j > 0 && numbers[j - 1] > number; j--) numbers[j] = numbers[j - 1];
        numbers[j] = number;
    }
    for (int i = 1; i < 5; i++) assert(numbers[i - 1] <= numbers[i]);
    return 0;
}
