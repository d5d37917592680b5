// Sorts known numbers; only where to begin is unknown.
#include <assert.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
static int numbers[400];
static void sort(int from, int to) {
    if (from >= to) return;
    int pivot = numbers[(from + to) / 2], i = from, j = to;
    while (i <= j) {
        while (numbers[i] < pivot) i++;
        while (numbers[j] > pivot) j--;
        if (i <= j) {
            int old = numbers[i];
            numbers[i++] = numbers[j];
            numbers[j--] = old;
        }
    }
    sort(from, j);
    sort(i, to);
}
int main(void) {
    unsigned char begin;
    klee_make_symbolic(&begin, sizeof begin, "begin");
    int from = begin % 4 == 0 ? 0 : begin % 4 == 1 ? 100 : begin % 4 == 2 ? 200 : 300;
    unsigned seed = 1;
    for (int i = 0; i < 400; i++) numbers[i] = (seed = seed * 1103515245u + 12345) >> 16 & 1023;
    sort(from, 399);
    for (int i = from + 1; i < 400; i++) assert(numbers[i - 1] <= numbers[i]);
    return 0;
}
