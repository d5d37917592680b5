/* atexit: many handlers. */

#include <stdio.h>
#include <stdlib.h>

static int calls;

static void count(void) {
    calls++;
}

static void report(void) {
    printf("%d calls\n", calls);
    fflush(stdout);
}

int main(void) {
    int failures = 0;
    atexit(report);
    for (int i = 0; i < 2000; i++)
        failures += atexit(count) != 0;
    printf("%d failures\n", failures);
    return 0;
}
