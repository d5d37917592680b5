#include <klee/klee.h>
#include <stdlib.h>

static int sum(const int *values, unsigned count) {
    int total = 0;
    for (unsigned i = 0; i <= count; i++)
        total += values[i];
    return total;
}

int main(void) {
    unsigned count;
    klee_make_symbolic(&count, sizeof count, "count");
    klee_assume(count >= 1 && count <= 3);
    int *values = calloc(3, sizeof *values);
    int total = sum(values, count);
    free(values);
    return total;
}
